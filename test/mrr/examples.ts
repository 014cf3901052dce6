/** Builders for the examples of the rule book. */
import type { MrrEvent } from '#domain/event.ts'
import { type Instant, isoOfInstant } from '#domain/instant.ts'
import { periodsLater } from '#domain/mrr/exact/interval.ts'
import { defaultPolicy, type MrrPolicy } from '#domain/mrr/exact/policy.ts'
import { type CustomerMrr, rebuildCustomer } from '#domain/mrr/rebuild-customer.ts'
import type { Observation } from '#domain/mrr/timeline/observation.ts'
import type {
  InvoiceLine,
  PaymentCoupon,
  PaymentDiscount,
  PaymentInvoice,
  PaymentPrice,
  PaymentProduct,
  PaymentSubscription,
  SubscriptionItem,
} from '#domain/payments.ts'

/** The instant of '2025-01-31' (midnight UTC) or of a full ISO text. */
export function on(day: string): Instant {
  return Date.parse(day.length === 10 ? `${day}T00:00:00Z` : day) / 1000
}

/** A recurring price with a unit amount in cents; `every` is 'month', '3 month', 'year' and so on. */
export function price(
  id: string,
  unit: number | string | null,
  every = 'month',
  more: Partial<PaymentPrice> = {},
): PaymentPrice {
  const [count, interval] = every.includes(' ') ? every.split(' ') : ['1', every]
  return {
    id,
    productId: `prod_${id}`,
    createdAt: on('2020-01-01'),
    currency: 'usd',
    interval: interval ?? 'month',
    intervalCount: Number(count),
    usageType: 'licensed',
    billingScheme: 'per_unit',
    unitAmountDecimal: unit === null ? null : String(unit),
    tiersMode: null,
    tiers: null,
    transformQuantity: null,
    taxBehavior: 'exclusive',
    ...more,
  }
}

export function coupon(id: string, more: Partial<PaymentCoupon> = {}): PaymentCoupon {
  return {
    id,
    percentOff: null,
    amountOffCents: null,
    currency: null,
    duration: 'forever',
    durationInMonths: null,
    appliesToProductIds: null,
    ...more,
  }
}

export function discount(of: PaymentCoupon, more: Partial<PaymentDiscount> = {}): PaymentDiscount {
  return { id: `di_${of.id}`, coupon: of, couponId: of.id, startedAt: null, endsAt: null, ...more }
}

export function item(
  of: PaymentPrice,
  quantity: number | null = 1,
  more: Partial<SubscriptionItem> = {},
): SubscriptionItem {
  return {
    id: 'si_1',
    priceId: of.id,
    price: of,
    quantity,
    createdAt: on('2025-01-01'),
    periodStart: on('2025-01-01'),
    periodEnd: on('2025-02-01'),
    discounts: [],
    ...more,
  }
}

/** An active subscription that began on 2025-01-01. */
export function subscription(
  items: SubscriptionItem[],
  more: Partial<PaymentSubscription> = {},
): PaymentSubscription {
  const createdAt = more.createdAt ?? on('2025-01-01')
  return {
    id: 'sub_1',
    customerId: 'cus_1',
    status: 'active',
    currency: 'usd',
    createdAt,
    startedAt: createdAt,
    trialStart: null,
    trialEnd: null,
    cancelAtPeriodEnd: false,
    cancelAt: null,
    canceledAt: null,
    endedAt: null,
    pauseCollection: null,
    collectionMethod: 'charge_automatically',
    items,
    discounts: [],
    paymentMethod: null,
    ...more,
  }
}

type LineOptions = Partial<InvoiceLine> & { from: string; to?: string }

/** A line for a whole period from a day on, by default at unit amount x quantity. */
export function line(of: PaymentPrice, quantity: number, options: LineOptions): InvoiceLine {
  const { from, to, ...more } = options
  const periodStart = on(from)
  const cadence = { interval: of.interval ?? 'month', count: of.intervalCount }
  return {
    id: `il_${of.id}_${from}_${quantity}`,
    subscriptionId: 'sub_1',
    subscriptionItemId: 'si_1',
    priceId: of.id,
    productId: of.productId,
    amountCents: Math.round(Number(of.unitAmountDecimal ?? 0) * quantity),
    quantity,
    unitAmountDecimal: of.unitAmountDecimal,
    periodStart,
    periodEnd: to === undefined ? periodsLater(periodStart, cadence) : on(to),
    isProration: false,
    discountCents: more.discounts?.reduce((sum, { amountCents }) => sum + amountCents, 0) ?? 0,
    discounts: [],
    inclusiveTaxCents: 0,
    isDiscountable: true,
    isSubscriptionItem: true,
    description: null,
    ...more,
  }
}

/** The two lines of a change inside a period: the old terms credited, the new ones charged. */
export function prorations(
  before: { of: PaymentPrice; quantity: number; amountCents: number },
  after: { of: PaymentPrice; quantity: number; amountCents: number },
  options: LineOptions,
): InvoiceLine[] {
  const shared = { isProration: true, isDiscountable: false }
  const { amountCents: credit } = before
  return [
    line(before.of, before.quantity, { ...options, ...shared, amountCents: -credit, isCredit: true }),
    line(after.of, after.quantity, { ...options, ...shared, amountCents: after.amountCents }),
  ]
}

export function invoice(
  day: string,
  lines: InvoiceLine[],
  more: Partial<PaymentInvoice> = {},
): PaymentInvoice {
  return {
    id: `in_${day}`,
    customerId: 'cus_1',
    subscriptionId: 'sub_1',
    status: 'paid',
    currency: 'usd',
    createdAt: on(day),
    finalizedAt: on(day),
    totalDiscountCents: lines.reduce((sum, { discountCents }) => sum + discountCents, 0),
    lines,
    ...more,
  }
}

/** One whole-period invoice for each given day. */
export function renewals(of: PaymentPrice, quantity: number, days: readonly string[]): PaymentInvoice[] {
  return days.map((from) => invoice(from, [line(of, quantity, { from })]))
}

export type ExampleAccount = {
  subscriptions: PaymentSubscription[]
  invoices?: PaymentInvoice[]
  prices?: PaymentPrice[]
  products?: PaymentProduct[]
  policy?: Partial<MrrPolicy>
  customerDiscounts?: PaymentDiscount[]
  observations?: readonly Observation[]
  asOf: string
}

export function rebuild({
  subscriptions,
  invoices = [],
  prices = [],
  products = [],
  policy,
  customerDiscounts = [],
  observations = [],
  asOf,
}: ExampleAccount): CustomerMrr {
  const known = [...prices, ...subscriptions.flatMap(({ items }) => items.map((entry) => entry.price))]
  return rebuildCustomer({
    customerId: 'cus_1',
    subscriptions,
    invoices,
    prices: new Map(known.map((entry) => [entry.id, entry])),
    products: new Map(products.map((entry) => [entry.id, entry])),
    policy: { ...defaultPolicy, ...policy },
    customerDiscounts,
    observations,
    asOf: on(asOf),
  })
}

/** An event as one line, '2025-01-01 New/new_subscription 0>1000 q0>1': midnight is left out, other times appear. */
export function textOfEvent(event: MrrEvent): string {
  const when = isoOfInstant(event.occurredAt).replace('T00:00:00Z', '')
  const amounts = `${event.previousMrrCents}>${event.currentMrrCents}`
  const quantities = `q${event.previousQuantity}>${event.currentQuantity}`
  return `${when} ${event.mrrStatus}/${event.changeType} ${amounts} ${quantities}`
}

/** The events of an account as text lines. */
export function ledger(account: ExampleAccount): string[] {
  return rebuild(account).events.map(textOfEvent)
}
