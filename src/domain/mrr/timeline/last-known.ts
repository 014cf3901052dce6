import type { Instant } from '../../instant.ts'
import type { SubscriptionItem } from '../../payments.ts'
import type { Charge } from '../bills/bill.ts'
import { compareCharges } from '../bills/sort-bills.ts'
import { countsUnder, inForceOn } from '../terms/discounts/coupon.ts'
import type { Pricing } from '../terms/item-terms.ts'
import type { ObservedState } from './observation.ts'

/** What is known last of one item: its latest bill, and what was seen of it since. */
export type LastKnown = {
  bill: Charge | undefined
  observed: { at: Instant; item: SubscriptionItem; state: ObservedState } | undefined
  /** When it was seen to be gone, or its subscription to have ended, after all that. */
  goneAt: Instant | undefined
}

/** Whether an item has a part in MRR: it is recurring and not metered (R8, R23). */
export function isLicensed({ price }: SubscriptionItem): boolean {
  return price.usageType !== 'metered' && price.interval !== null
}

/** Whether the item of an id is among these and has a part in MRR. */
export function isLicensedIn(items: readonly SubscriptionItem[], itemId: string): boolean {
  return items.some((item) => item.id === itemId && isLicensed(item))
}

/** The last that bills and observations tell of each item, by item key. An observation counts after a bill of the same second. */
export function lastKnownOf(
  charges: readonly Charge[],
  observations: readonly ObservedState[],
): Map<string, LastKnown> {
  const known = new Map<string, LastKnown>()
  for (const charge of charges) {
    const before = known.get(charge.itemKey)?.bill
    if (!before || before.at < charge.at || (before.at === charge.at && compareCharges(before, charge) < 0)) {
      known.set(charge.itemKey, { bill: charge, observed: undefined, goneAt: undefined })
    }
  }
  for (const state of observations) {
    const { at } = state
    for (const id of state.changedIds) {
      const item = state.items.find((held) => held.id === id)
      const bill = known.get(id)?.bill
      if (item && at >= (bill?.at ?? 0))
        known.set(id, { bill, observed: { at, item, state }, goneAt: undefined })
    }
    // What it held no more when it ended had gone before.
    const isEnded = (id: string): boolean => state.items.length === 0 || isLicensedIn(state.items, id)
    const gone = state.endedAs === null ? state.endedIds : [...known.keys()].filter(isEnded)
    for (const id of gone) {
      const last = known.get(id)
      if (last && at >= (last.bill?.at ?? 0)) known.set(id, { ...last, goneAt: at })
    }
  }
  return known
}

/**
 * The discounts on an item that its last bill could not know yet: put on after it (R6). Without a bill every one in force.
 * What the bill did carry holds for the period it was billed for, even when it is gone from the subscription (R4).
 */
export function discountsAddedSince(
  bill: Charge | undefined,
  item: SubscriptionItem,
  at: Instant,
  pricing: Pricing,
): Set<string> {
  if (item.discounts.length + pricing.subscription.discounts.length === 0) return nothingAdded
  const inForce = inForceOn(item, at, pricing.subscription.discounts, pricing.discounts)
  const added = inForce.filter((discount) => {
    if (!countsUnder(pricing.policy, discount)) return false
    if (!bill) return true
    if (discount.startedAt === null || discount.startedAt <= bill.invoice.createdAt) return false
    const { lines, invoice } = bill
    return ![...lines.flatMap((line) => line.discounts), ...(invoice.discounts ?? [])].some(
      ({ id }) => id === discount.id,
    )
  })
  return new Set(added.map(({ id }) => id))
}

const nothingAdded: Set<string> = new Set()

export function areSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id))
}
