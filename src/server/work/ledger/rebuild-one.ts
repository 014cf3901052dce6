import type { MrrEvent } from '#domain/event.ts'
import { dayOfInstant, type Instant } from '#domain/instant.ts'
import { billedByBillingV2, invoicesInstead } from '#domain/mrr/bills/billing-v2.ts'
import type { MrrPolicy } from '#domain/mrr/exact/policy.ts'
import { rebuildCustomer } from '#domain/mrr/rebuild-customer.ts'
import type { Receipt } from '#domain/mrr/receipts/receipt.ts'
import { type ReceiptSubject, withEveryLine, withLinesInstead } from '#domain/mrr/receipts/receipt-lines.ts'
import { couponOfDiscount } from '#domain/mrr/terms/discounts/coupon.ts'
import type { Observation } from '#domain/mrr/timeline/observation.ts'
import type { PaymentDiscount, PaymentSubscription } from '#domain/payments.ts'
import type { EventRow } from '../../store/ledger/events.ts'
import type { SubscriptionFigures } from '../../store/ledger/subscription-figures.ts'
import type { Catalog, CustomerObjects } from '../../store/payments/customer-objects.ts'
import { paymentMethodText } from './payment-method-text.ts'

/** A customer in its own currencies. */
export type CountedCustomer = {
  id: string
  /**
   * Without the payment method of the invoice: the caller adds it, and it replaces the usual method of the
   * subscription or customer.
   */
  events: Omit<EventRow, 'reportingChangeCents' | 'reportingRate'>[]
  figures: (Omit<SubscriptionFigures, 'reportingMrrCents' | 'reportingRate'> & { currency: string })[]
  newObservations: Observation[]
}

/** Computes the ledger of one customer and the figures of its subscriptions from the stored objects. */
export function rebuildOne(
  objects: CustomerObjects,
  catalog: Catalog,
  policy: MrrPolicy,
  asOf: Instant,
): CountedCustomer {
  const subscriptions = objects.subscriptions.map((subscription) => joined(subscription, catalog))
  const invoices = objects.invoices.map((invoice) => ({
    ...invoice,
    ...(invoice.discounts && { discounts: withCoupons(invoice.discounts, catalog) }),
  }))
  const rebuilt = rebuildCustomer({
    customerId: objects.id,
    subscriptions,
    invoices,
    prices: catalog.prices,
    products: catalog.products,
    policy,
    customerDiscounts: withCoupons(objects.discounts, catalog),
    observations: objects.observations,
    asOf,
  })
  const invoicesById = new Map(invoices.map((invoice) => [invoice.id, invoice]))
  const whole = (receipt: Receipt | undefined, subject: ReceiptSubject) =>
    receipt ? withEveryLine(receipt, subject, invoicesById) : null
  const byId = new Map(subscriptions.map((subscription) => [subscription.id, subscription]))
  const instead = new Map(subscriptions.map((one) => [one.id, invoicesInstead(one, invoices)]))
  const events = rebuilt.events.map((event, position): CountedCustomer['events'][number] => {
    const method = byId.get(event.subscriptionId)?.paymentMethod ?? objects.paymentMethod
    const found = whole(rebuilt.receipts.ofEvent(event.id), {
      at: event.occurredAt,
      invoiceId: event.invoiceId,
    })
    const isEnd = event.mrrStatus === 'Churn'
    const receipt = found && isEnd ? withLinesInstead(found, instead.get(event.subscriptionId) ?? []) : found
    return { ...event, position, paymentMethod: method && paymentMethodText(method), receipt }
  })
  const changedAt = lastChanges(subscriptions, events)
  const figures = rebuilt.subscriptions.map((mrr): CountedCustomer['figures'][number] => {
    const subscription = byId.get(mrr.subscriptionId)
    return {
      id: mrr.subscriptionId,
      currency: mrr.currency,
      currentMrrCents: mrr.currentMrrCents,
      quantity: mrr.quantity,
      productName: mrr.productName,
      billingIntervalDays: mrr.billingIntervalDays,
      ...periodOf(subscription),
      unsupportedReason:
        mrr.isUnsupported ?? (instead.get(mrr.subscriptionId)?.length ? billedByBillingV2 : null),
      receipt: whole(rebuilt.receipts.ofSubscription(mrr.subscriptionId), { at: asOf, invoiceId: null }),
      changedAt: changedAt.get(mrr.subscriptionId) ?? asOf,
    }
  })
  return { id: objects.id, events, figures, newObservations: rebuilt.newObservations }
}

/** When each subscription last changed: with its creation, an event of its MRR or its end. */
function lastChanges(
  subscriptions: readonly PaymentSubscription[],
  events: readonly Pick<MrrEvent, 'subscriptionId' | 'occurredAt'>[],
): Map<string, Instant> {
  const last = new Map(
    subscriptions.map(({ id, createdAt, endedAt }) => [id, Math.max(createdAt, endedAt ?? createdAt)]),
  )
  for (const { subscriptionId, occurredAt } of events)
    last.set(subscriptionId, Math.max(occurredAt, last.get(subscriptionId) ?? occurredAt))
  return last
}

/** Tiers and coupons come from the catalog, because embedded ones lack tiers and the products of a coupon. */
function joined(subscription: PaymentSubscription, catalog: Catalog): PaymentSubscription {
  return {
    ...subscription,
    discounts: withCoupons(subscription.discounts, catalog),
    items: subscription.items.map((item) => ({
      ...item,
      price: { ...item.price, tiers: item.price.tiers ?? catalog.prices.get(item.priceId)?.tiers ?? null },
      discounts: withCoupons(item.discounts, catalog),
    })),
  }
}

function withCoupons(discounts: readonly PaymentDiscount[], { coupons }: Catalog): PaymentDiscount[] {
  return discounts.map((discount) => ({
    ...discount,
    coupon: couponOfDiscount(discount.coupon, coupons.get(discount.couponId ?? '')),
  }))
}

const renewing = new Set(['active', 'trialing', 'past_due', 'unpaid'])

/** The period that ends first, and its renewal date; null if the subscription ends by then. */
function periodOf(subscription: PaymentSubscription | undefined) {
  const first = subscription?.items.toSorted((a, b) => a.periodEnd - b.periodEnd)[0]
  if (!subscription || !first) return { periodStart: null, periodEnd: null, nextRenewalOn: null }
  const { cancelAt, cancelAtPeriodEnd, endedAt, status } = subscription
  const endsFirst =
    cancelAtPeriodEnd || endedAt !== null || (cancelAt !== null && cancelAt <= first.periodEnd)
  return {
    periodStart: first.periodStart,
    periodEnd: first.periodEnd,
    nextRenewalOn: renewing.has(status) && !endsFirst ? dayOfInstant(first.periodEnd) : null,
  }
}
