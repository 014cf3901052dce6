import type { MrrEvent } from '../../event.ts'
import type { Instant } from '../../instant.ts'
import type { Judged } from '../events/new-or-returning.ts'
import { plannedEndOf } from '../events/planned-cancellation.ts'
import type { MrrPolicy } from '../exact/policy.ts'
import { datings } from '../timeline/dating.ts'
import type { SubscriptionRebuild } from '../timeline/subscription-rebuild.ts'
import type { SubscriptionState } from '../timeline/subscription-state.ts'
import { ignoredOfEvent, ignoredOfNow } from './ignored-lines.ts'
import { kindOfEvent, kindOfRequest } from './kind-of-event.ts'
import { lastBillOf } from './last-bill.ts'
import { changedSince, type Receipt, receiptOf } from './receipt.ts'
import { rulesOfEvent } from './rules-of-event.ts'
import { rulesOfNow } from './rules-of-now.ts'

/** An event and the change it was made from; `judged` is null for a planned cancellation. */
export type Entry = {
  event: MrrEvent
  order: number
  rank: number
  state: SubscriptionState
  judged: Judged | null
}

/** Explains each figure of a customer, computed on request only. */
export type CustomerReceipts = {
  ofEvent: (eventId: string) => Receipt | undefined
  ofSubscription: (id: string) => Receipt | undefined
}

/** The receipts of all events of a customer, and of the current MRR of each subscription. */
export function receiptsOf(
  entries: readonly Entry[],
  rebuilds: readonly SubscriptionRebuild[],
  policy: MrrPolicy,
  asOf: Instant,
): CustomerReceipts {
  const entryById = firstByKey(entries, ({ event }) => event.id)
  const earlierById = earlierEntries(entries)
  const rebuildById = firstByKey(rebuilds, ({ subscription }) => subscription.id)
  // Each subscription has its own ledger, and all share one history.
  const [ofLedger, ofFirst] = rebuilds.length > 1 ? [['R3'], ['R3', 'R36']] : [[], []]
  return {
    ofEvent: (eventId) => {
      const entry = entryById().get(eventId)
      const rebuild = entry && rebuilds[entry.order]
      if (!rebuild) return undefined
      const { state, judged, event } = entry
      const { subscription, discounts } = rebuild
      const context = { subscription, policy, discounts, at: event.occurredAt }
      const dated = datings[judged ? state.datedBy : 'asked']
      const rules = judged ? rulesOfEvent(judged) : []
      const ofCustomer = judged?.change.kind === 'first' ? ofFirst : ofLedger
      const ignored = ignoredOfEvent(rebuild, state)
      const earlier = earlierById().get(eventId)
      const before = earlier && judged && changedSince(earlier.state, judged.change.previous, context)
      const isLastRequest = judged === null && event.occurredAt === subscription.canceledAt
      return receiptOf(state, {
        ...context,
        dated,
        kind: judged ? kindOfEvent(judged) : isLastRequest ? kindOfRequest(subscription) : null,
        endsAt: isLastRequest ? plannedEndOf(subscription) : null,
        lastBill: judged && state.cause === 'end' ? lastBillOf(rebuild, state.at) : null,
        ignored,
        rules: [...rules, ...ofCustomer],
        before: before ?? null,
      })
    },
    ofSubscription: (id) => {
      const rebuild = rebuildById().get(id)
      if (!rebuild) return undefined
      const { subscription, discounts, now } = rebuild
      const rules = [...rulesOfNow(rebuild, asOf), ...ofLedger]
      const ignored = ignoredOfNow(rebuild)
      const nothingMore = { dated: null, kind: null, endsAt: null, lastBill: null, before: null }
      return receiptOf(now, { subscription, policy, discounts, at: null, ignored, rules, ...nothingMore })
    },
  }
}

/** The entry before each of the same subscription, by event id; built on first use. */
function earlierEntries(entries: readonly Entry[]): () => ReadonlyMap<string, Entry> {
  let index: Map<string, Entry> | undefined
  return () => {
    if (index) return index
    index = new Map()
    const last = new Map<number, Entry>()
    for (const entry of entries) {
      const earlier = last.get(entry.order)
      if (earlier) index.set(entry.event.id, earlier)
      last.set(entry.order, entry)
    }
    return index
  }
}

/** The first entry of each key; the index is built on first use. */
function firstByKey<T>(list: readonly T[], keyOf: (entry: T) => string): () => ReadonlyMap<string, T> {
  let index: Map<string, T> | undefined
  return () => {
    index ??= new Map([...list].reverse().map((entry) => [keyOf(entry), entry]))
    return index
  }
}
