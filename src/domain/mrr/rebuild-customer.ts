import type { MrrEvent } from '../event.ts'
import type { Instant } from '../instant.ts'
import type { PaymentInvoice, PaymentPrice, PaymentProduct, PaymentSubscription } from '../payments.ts'
import { judgeByHistory } from './customer-history.ts'
import { changeEvent, plannedEvent } from './event-of-movement.ts'
import { type Movement, movementsOf } from './movement.ts'
import { plannedCancellationOf } from './planned-cancellation.ts'
import type { MrrPolicy } from './policy.ts'
import { rebuildSubscription, type SubscriptionRebuild } from './rebuild-subscription.ts'
import { type Receipt, receiptOf } from './receipt.ts'
import { compareInvoices } from './sort-evidence.ts'
import { type SubscriptionMrr, subscriptionMrrOf } from './subscription-mrr.ts'
import { nothingYet, type SubscriptionState } from './subscription-state.ts'

export type CustomerEvidence = {
  customerId: string
  subscriptions: readonly PaymentSubscription[]
  /** All invoices of the customer, in any order. */
  invoices: readonly PaymentInvoice[]
  prices: ReadonlyMap<string, PaymentPrice>
  products: ReadonlyMap<string, PaymentProduct>
  policy: MrrPolicy
  /** Nothing after it is taken to have happened. */
  asOf: Instant
}

export type CustomerMrr = {
  /** Ascending by occurredAt, then by the order of the subscriptions given. */
  events: MrrEvent[]
  /** One for each subscription given, in that order. */
  subscriptions: SubscriptionMrr[]
  /** Why each figure is what it is, made only when asked for. */
  receipts: {
    ofEvent: (eventId: string) => Receipt | undefined
    ofSubscription: (id: string) => Receipt | undefined
  }
}

/**
 * Rebuilds every change of MRR of one customer (design 6.2; rule book R1 to R38). Deterministic: neither the order of the
 * invoices nor earlier rebuilds matter. Per subscription each event starts where the last ended, and the changes sum to the
 * current MRR. Never throws on hostile data: what cannot be counted is 0 and carries its reason.
 */
export function rebuildCustomer(evidence: CustomerEvidence): CustomerMrr {
  const { subscriptions, prices, products, policy, asOf } = evidence
  const bySubscription = invoicesBySubscription(evidence.invoices)
  const rebuilds = subscriptions.map((subscription) =>
    rebuildSubscription(subscription, bySubscription.get(subscription.id) ?? [], prices, policy, asOf),
  )
  const entries: Entry[] = []
  const movements: Movement[] = rebuilds.flatMap(({ subscription, states }, order) =>
    movementsOf(subscription, order, states),
  )
  for (const judged of judgeByHistory(movements, policy)) {
    const { movement } = judged
    const event = changeEvent(judged, evidence.customerId, products)
    entries.push({ event, order: movement.order, rank: 0, state: movement.current })
  }
  if (policy.churnAt === 'end') {
    for (const [order, { subscription, states }] of rebuilds.entries()) {
      const planned = plannedCancellationOf(subscription, states, asOf)
      if (!planned) continue
      const event = plannedEvent(subscription, planned, evidence.customerId, products)
      entries.push({ event, order, rank: 1, state: planned.state })
    }
  }
  entries.sort((a, b) => a.event.occurredAt - b.event.occurredAt || a.order - b.order || a.rank - b.rank)
  return {
    events: entries.map(({ event }) => event),
    subscriptions: rebuilds.map((rebuild) => subscriptionMrrOf(rebuild, products)),
    receipts: receiptsOf(entries, rebuilds, policy),
  }
}

type Entry = { event: MrrEvent; order: number; rank: number; state: SubscriptionState }

function receiptsOf(
  entries: readonly Entry[],
  rebuilds: readonly SubscriptionRebuild[],
  policy: MrrPolicy,
): CustomerMrr['receipts'] {
  return {
    ofEvent: (eventId) => {
      const entry = entries.find(({ event }) => event.id === eventId)
      const rebuild = entry && rebuilds[entry.order]
      return rebuild && receiptOf(entry.state, rebuild.subscription.currency, policy, rebuild.ignored)
    },
    ofSubscription: (id) => {
      const rebuild = rebuilds.find(({ subscription }) => subscription.id === id)
      const state = rebuild?.states.at(-1) ?? nothingYet
      return rebuild && receiptOf(state, rebuild.subscription.currency, policy, rebuild.ignored)
    },
  }
}

/** One invoice can carry lines of several subscriptions, so it is listed under each; oldest first. */
function invoicesBySubscription(invoices: readonly PaymentInvoice[]): Map<string, PaymentInvoice[]> {
  const lists = new Map<string, PaymentInvoice[]>()
  for (const invoice of [...invoices].sort(compareInvoices)) {
    const ids = new Set<string>()
    if (invoice.subscriptionId !== null) ids.add(invoice.subscriptionId)
    for (const { subscriptionId } of invoice.lines) if (subscriptionId !== null) ids.add(subscriptionId)
    for (const id of ids) {
      const list = lists.get(id)
      if (list) list.push(invoice)
      else lists.set(id, [invoice])
    }
  }
  return lists
}
