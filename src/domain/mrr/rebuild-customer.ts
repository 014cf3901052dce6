import type { MrrEvent } from '../event.ts'
import type { Instant } from '../instant.ts'
import type {
  PaymentDiscount,
  PaymentInvoice,
  PaymentPrice,
  PaymentProduct,
  PaymentSubscription,
} from '../payments.ts'
import { gonePricesOf } from './bills/gone-prices.ts'
import { sortBills } from './bills/sort-bills.ts'
import { changeEvent, plannedEvent } from './events/event-of-change.ts'
import { type MrrChange, mrrChangesOf } from './events/mrr-change.ts'
import { judgeByHistory } from './events/new-or-returning.ts'
import { plannedCancellationsOf } from './events/planned-cancellation.ts'
import { type SubscriptionMrr, subscriptionMrrOf } from './events/subscription-mrr.ts'
import type { MrrPolicy } from './exact/policy.ts'
import { rebuildSubscription } from './rebuild-subscription.ts'
import { type CustomerReceipts, type Entry, receiptsOf } from './receipts/receipts-of-customer.ts'
import { askedInstants, askedObservation, type Observation } from './timeline/observation.ts'

export type CustomerRebuildInput = {
  customerId: string
  subscriptions: readonly PaymentSubscription[]
  /** All invoices of the customer, in any order. */
  invoices: readonly PaymentInvoice[]
  prices: ReadonlyMap<string, PaymentPrice>
  products: ReadonlyMap<string, PaymentProduct>
  policy: MrrPolicy
  /** Discounts of the customer, which apply to subscriptions without one of their own (R7). */
  customerDiscounts?: readonly PaymentDiscount[]
  /** All observations that earlier rebuilds returned as new, in any order. */
  observations?: readonly Observation[]
  /**
   * Later evidence is ignored, and facts that only the subscriptions show get this date: no later than the moment at
   * which they were read from the provider.
   */
  asOf: Instant
}

export type CustomerMrr = {
  /** Ascending by occurredAt, then by the order of the given subscriptions. */
  events: MrrEvent[]
  /** One for each given subscription, in that order. */
  subscriptions: SubscriptionMrr[]
  /**
   * Facts that neither an invoice nor a given observation shows: store them by id and pass them to every later rebuild.
   */
  newObservations: Observation[]
  receipts: CustomerReceipts
}

/**
 * Rebuilds every change of MRR of one customer (rule book R1 to R38). The order of invoices and earlier rebuilds do not
 * change the result. Never throws on hostile data: what cannot be counted is 0 and carries its reason.
 */
export function rebuildCustomer(evidence: CustomerRebuildInput): CustomerMrr {
  const { prices, products, policy, asOf, customerDiscounts = [], observations = [] } = evidence
  const ids = evidence.subscriptions.map(({ id }) => id)
  const invoices = sortBills(evidence.invoices, evidence.subscriptions)
  const bySubscription = invoicesBySubscription(invoices, ids)
  const input = { prices, gonePrices: gonePricesOf(invoices, prices), policy, asOf, observations }
  const rebuilds = evidence.subscriptions.map((subscription) =>
    rebuildSubscription(
      withCustomerDiscounts(subscription, customerDiscounts),
      bySubscription.get(subscription.id) ?? [],
      input,
    ),
  )
  const entries: Entry[] = []
  const changes: MrrChange[] = rebuilds.flatMap(({ subscription, states }, order) =>
    mrrChangesOf(subscription, order, states),
  )
  for (const judged of judgeByHistory(changes, policy)) {
    const { change } = judged
    const event = changeEvent(judged, evidence.customerId, products)
    entries.push({ event, order: change.order, rank: 0, state: change.current, judged })
  }
  const newObservations = rebuilds.flatMap((rebuild) => rebuild.newObservations)
  for (const [order, { subscription, states }] of policy.churnAt === 'end' ? rebuilds.entries() : []) {
    const asked = askedInstants(subscription, observations, asOf)
    for (const planned of plannedCancellationsOf(subscription, states, asked, asOf)) {
      const event = plannedEvent(subscription, planned, evidence.customerId, products)
      entries.push({ event, order, rank: 1, state: planned.state, judged: null })
      const mayBeTakenBack = subscription.endedAt === null && !asked.includes(planned.at)
      if (mayBeTakenBack) newObservations.push(askedObservation(subscription.id, planned.at))
    }
  }
  entries.sort((a, b) => a.event.occurredAt - b.event.occurredAt || a.order - b.order || a.rank - b.rank)
  return {
    events: entries.map(({ event }) => event),
    subscriptions: rebuilds.map((rebuild) => subscriptionMrrOf(rebuild, products)),
    newObservations,
    receipts: receiptsOf(entries, rebuilds, policy, asOf),
  }
}

function withCustomerDiscounts(
  subscription: PaymentSubscription,
  customerDiscounts: readonly PaymentDiscount[],
): PaymentSubscription {
  const { discounts, items } = subscription
  const hasOwn = discounts.length > 0 || items.some((item) => item.discounts.length > 0)
  return hasOwn || customerDiscounts.length === 0
    ? subscription
    : { ...subscription, discounts: customerDiscounts.map((one) => ({ ...one, holder: 'customer' })) }
}

/**
 * Lists an invoice under each subscription that its lines name, and under all when nothing identifies one; oldest first.
 */
function invoicesBySubscription(
  invoices: readonly PaymentInvoice[],
  allIds: readonly string[],
): Map<string, PaymentInvoice[]> {
  const lists = new Map<string, PaymentInvoice[]>()
  for (const invoice of invoices) {
    const ids = new Set<string>()
    if (invoice.subscriptionId !== null) ids.add(invoice.subscriptionId)
    for (const { subscriptionId } of invoice.lines) if (subscriptionId !== null) ids.add(subscriptionId)
    const isOfAny = ids.size === 0 && invoice.lines.some(({ standsForAll }) => standsForAll)
    for (const id of isOfAny ? allIds : ids) {
      const list = lists.get(id)
      if (list) list.push(invoice)
      else lists.set(id, [invoice])
    }
  }
  return lists
}
