import type Stripe from 'stripe'
import type { ChangedKind, PaymentsKind } from '../payments.ts'

/** Stripe's largest page. */
export const pageMax = 100

export type ListParams = {
  limit: number
  starting_after?: string
  created?: { gte?: number; lt?: number; lte?: number }
  /** Only objects of this test clock, which are left out otherwise. */
  test_clock?: string
}

export type ListRequest = {
  endpoint: string
  object: string
  list: (stripe: Stripe, params: ListParams) => Promise<unknown>
}

// Stripe accepts at most four segments in an expand path; in a list, `data` is the first.
const expand = {
  products: [],
  prices: ['tiers', 'currency_options'],
  coupons: ['applies_to', 'currency_options'],
  customers: ['invoice_settings.default_payment_method'],
  subscriptions: ['discounts.source.coupon', 'items.data.discounts', 'default_payment_method'],
  invoices: ['discounts.source.coupon', 'lines.data.discounts'],
  invoice_payments: ['payment.payment_intent.payment_method'],
} as const satisfies Record<ChangedKind, readonly string[]>

const inList = (kind: ChangedKind) => ({ expand: expand[kind].map((path) => `data.${path}`) })
const alone = (kind: ChangedKind) => ({ expand: [...expand[kind]] })

type StatusOfList = NonNullable<Stripe.SubscriptionListParams['status']>

/**
 * Without a status, the list omits canceled subscriptions. `ended` covers those and the ones that were never paid.
 */
const subscriptionsOf = (status?: StatusOfList): ListRequest => ({
  endpoint: '/v1/subscriptions',
  object: 'subscription',
  list: (stripe, params) =>
    stripe.subscriptions.list({ ...params, ...inList('subscriptions'), ...(status && { status }) }),
})

/** The request parameters of each list. */
export const listRequests: Readonly<Record<PaymentsKind, ListRequest>> = {
  products: {
    endpoint: '/v1/products',
    object: 'product',
    list: (stripe, params) => stripe.products.list(params),
  },
  // Without `active`, the list omits archived prices.
  prices_active: {
    endpoint: '/v1/prices',
    object: 'price',
    list: (stripe, params) => stripe.prices.list({ ...params, ...inList('prices'), active: true }),
  },
  prices_archived: {
    endpoint: '/v1/prices',
    object: 'price',
    list: (stripe, params) => stripe.prices.list({ ...params, ...inList('prices'), active: false }),
  },
  coupons: {
    endpoint: '/v1/coupons',
    object: 'coupon',
    list: (stripe, params) => stripe.coupons.list({ ...params, ...inList('coupons') }),
  },
  customers: {
    endpoint: '/v1/customers',
    object: 'customer',
    list: (stripe, params) => stripe.customers.list({ ...params, ...inList('customers') }),
  },
  subscriptions: subscriptionsOf('all'),
  current_subscriptions: subscriptionsOf(),
  ended_subscriptions: subscriptionsOf('ended'),
  invoices: {
    endpoint: '/v1/invoices',
    object: 'invoice',
    list: (stripe, params) => stripe.invoices.list({ ...params, ...inList('invoices') }),
  },
  invoice_payments: {
    endpoint: '/v1/invoice_payments',
    object: 'invoice_payment',
    list: (stripe, params) => stripe.invoicePayments.list({ ...params, ...inList('invoice_payments') }),
  },
}

/** The content of a list, in words. */
export function wordsOf(kind: PaymentsKind): string {
  return listRequests[kind].endpoint.replace('/v1/', 'the ').replaceAll('_', ' ')
}

export type FetchRequest = {
  endpoint: string
  object: string
  fetch: (stripe: Stripe, id: string) => Promise<unknown>
}

/** The request for one object by id. */
export const fetchRequests: Readonly<Record<ChangedKind, FetchRequest>> = {
  products: {
    endpoint: '/v1/products/:id',
    object: 'product',
    fetch: (stripe, id) => stripe.products.retrieve(id),
  },
  prices: {
    endpoint: '/v1/prices/:id',
    object: 'price',
    fetch: (stripe, id) => stripe.prices.retrieve(id, alone('prices')),
  },
  coupons: {
    endpoint: '/v1/coupons/:id',
    object: 'coupon',
    fetch: (stripe, id) => stripe.coupons.retrieve(id, alone('coupons')),
  },
  customers: {
    endpoint: '/v1/customers/:id',
    object: 'customer',
    fetch: (stripe, id) => stripe.customers.retrieve(id, alone('customers')),
  },
  subscriptions: {
    endpoint: '/v1/subscriptions/:id',
    object: 'subscription',
    fetch: (stripe, id) => stripe.subscriptions.retrieve(id, alone('subscriptions')),
  },
  invoices: {
    endpoint: '/v1/invoices/:id',
    object: 'invoice',
    fetch: (stripe, id) => stripe.invoices.retrieve(id, alone('invoices')),
  },
  invoice_payments: {
    endpoint: '/v1/invoice_payments/:id',
    object: 'invoice_payment',
    fetch: (stripe, id) => stripe.invoicePayments.retrieve(id, alone('invoice_payments')),
  },
}

/** A nested list contains its first ten entries; this requests the rest. */
export const nestedRequests = {
  items: (stripe: Stripe, subscription: string, params: ListParams): Promise<unknown> =>
    stripe.subscriptionItems.list({ ...params, subscription, expand: ['data.discounts'] }),
  lines: (stripe: Stripe, invoice: string, params: ListParams): Promise<unknown> =>
    stripe.invoices.listLineItems(invoice, { ...params, expand: ['data.discounts'] }),
}
