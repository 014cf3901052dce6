import type { ListedKind } from '../world/account.ts'
import type { StripeObject } from '../world/world.ts'
import { eventType, eventTypes } from './event-filters.ts'
import { among, equals, type Filter, flag, hashEquals, refersTo, testClock, within } from './filter.ts'
import { invoiceSubscription } from './invoice-filters.ts'
import {
  automaticTax,
  currentPeriodEnd,
  currentPeriodStart,
  itemPrice,
  subscriptionStatus,
} from './subscription-filters.ts'

/** One kind of object that is listed at `path` and retrieved at `path/:id`. */
export type SimulatedEndpoint = {
  readonly path: string
  readonly kind: ListedKind
  readonly filters: Readonly<Record<string, Filter>>
  /** Whether the list takes a `created` window. */
  readonly createdWindow: boolean
  /** Parameters that Stripe supports and this simulator does not. */
  readonly notSimulated: readonly string[]
  /** The same for retrieving a single object. */
  readonly notSimulatedOfOne?: readonly string[]
  /** The parameter Stripe names when the id is unknown. */
  readonly idParam: string
}

const collectionMethods = ['charge_automatically', 'send_invoice']

const secondsIn =
  (field: string) =>
  (row: StripeObject): number | undefined => {
    const value = row[field]
    return typeof value === 'number' ? value : undefined
  }

/** The lists of the account. Parameters after Stripe's OpenAPI document at 2026-10-28.endive. */
export const endpoints: readonly SimulatedEndpoint[] = [
  {
    path: '/v1/customers',
    kind: 'customer',
    filters: { email: equals('email'), test_clock: testClock([]) },
    createdWindow: true,
    notSimulated: [],
    idParam: 'id',
  },
  {
    path: '/v1/subscriptions',
    kind: 'subscription',
    filters: {
      customer: refersTo('customer', 'customer'),
      customer_account: equals('customer_account'),
      price: itemPrice,
      plan: itemPrice,
      status: subscriptionStatus,
      collection_method: equals('collection_method', collectionMethods),
      automatic_tax: automaticTax,
      current_period_end: currentPeriodEnd,
      current_period_start: currentPeriodStart,
      test_clock: testClock(['customer']),
    },
    createdWindow: true,
    notSimulated: [],
    idParam: 'id',
  },
  {
    path: '/v1/products',
    kind: 'product',
    filters: {
      active: flag('active'),
      ids: among('id'),
      shippable: flag('shippable'),
      type: equals('type'),
      url: equals('url'),
    },
    createdWindow: true,
    notSimulated: [],
    idParam: 'id',
  },
  {
    path: '/v1/prices',
    kind: 'price',
    filters: {
      // docs.stripe.com/api/prices/list: "a list of your active prices"; inactive ones only when asked for.
      active: flag('active', true),
      product: refersTo('product', 'product'),
      type: equals('type', ['one_time', 'recurring']),
      currency: equals('currency'),
      lookup_keys: among('lookup_key'),
      recurring: hashEquals('recurring', ['interval', 'usage_type', 'meter']),
    },
    createdWindow: true,
    notSimulated: [],
    idParam: 'price',
  },
  {
    path: '/v1/coupons',
    kind: 'coupon',
    filters: {},
    createdWindow: true,
    notSimulated: [],
    idParam: 'coupon',
  },
  {
    path: '/v1/invoices',
    kind: 'invoice',
    filters: {
      customer: refersTo('customer', 'customer'),
      customer_account: equals('customer_account'),
      subscription: invoiceSubscription,
      status: equals('status', ['draft', 'open', 'paid', 'uncollectible', 'void']),
      collection_method: equals('collection_method', collectionMethods),
      due_date: within(secondsIn('due_date')),
    },
    createdWindow: true,
    notSimulated: [],
    idParam: 'invoice',
  },
  {
    path: '/v1/invoice_payments',
    kind: 'invoice_payment',
    filters: {
      invoice: refersTo('invoice', 'invoice'),
      status: equals('status', ['canceled', 'open', 'paid']),
      payment: hashEquals('payment', ['type', 'payment_intent', 'payment_record']),
    },
    createdWindow: true,
    notSimulated: [],
    idParam: 'invoice_payment',
  },
  {
    path: '/v1/payment_intents',
    kind: 'payment_intent',
    filters: { customer: refersTo('customer', 'customer') },
    createdWindow: true,
    notSimulated: ['customer_account'],
    notSimulatedOfOne: ['client_secret'],
    idParam: 'intent',
  },
  {
    path: '/v1/payment_methods',
    kind: 'payment_method',
    filters: {
      customer: refersTo('customer', 'customer'),
      customer_account: equals('customer_account'),
      type: equals('type'),
      allow_redisplay: equals('allow_redisplay', ['always', 'limited', 'unspecified']),
    },
    createdWindow: false,
    notSimulated: [],
    idParam: 'payment_method',
  },
  {
    path: '/v1/events',
    kind: 'event',
    filters: { type: eventType, types: eventTypes },
    createdWindow: true,
    notSimulated: ['delivery_success'],
    idParam: 'id',
  },
  {
    path: '/v1/test_helpers/test_clocks',
    kind: 'test_clock',
    filters: {},
    createdWindow: false,
    notSimulated: [],
    idParam: 'test_clock',
  },
]
