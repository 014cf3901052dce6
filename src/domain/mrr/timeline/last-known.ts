import type { Instant } from '../../instant.ts'
import type { SubscriptionItem } from '../../payments.ts'
import type { Charge } from '../bills/bill.ts'
import { compareCharges } from '../bills/sort-bills.ts'
import { appliesTo, countsUnder, inForceOn } from '../terms/discounts/coupon.ts'
import type { Pricing } from '../terms/item-terms.ts'
import { isLicensedIn } from './licensed-items.ts'
import type { ObservedState } from './observation.ts'

/** The last known facts about one item: its latest bill, and later observations. */
export type LastKnown = {
  bill: Charge | undefined
  observed: { at: Instant; item: SubscriptionItem; state: ObservedState } | undefined
  /** When the item, or its whole subscription, was later seen to have ended. */
  goneAt: Instant | undefined
}

/**
 * The last facts that bills and observations show of each item, by item key. In the same second, an observation counts
 * after a bill.
 */
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
    // Items that the subscription no longer had when it ended were removed before.
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
 * The discounts that came after an item's last bill (R6); without a bill, all in force. The discounts of the bill apply
 * until the billed period ends, even if the subscription has lost them since (R4).
 */
export function discountsAddedSince(
  bill: Charge | undefined,
  item: SubscriptionItem,
  at: Instant,
  pricing: Pricing,
): Set<string> {
  if (item.discounts.length + pricing.subscription.discounts.length === 0) return nothingAdded
  const held = { item, productId: item.price.productId, at }
  const inForce = inForceOn(held, pricing.subscription.discounts, pricing.discounts)
  const added = inForce.filter((discount) => {
    if (!countsUnder(pricing.policy, discount)) return false
    if (!bill) return true
    const { lines, invoice, productId } = bill
    const named = [...lines.flatMap((line) => line.discounts), ...(invoice.discounts ?? [])]
    if (named.some(({ id }) => id === discount.id)) return false
    // A coupon that is not for the billed product begins with a change to one that it is for.
    if (productId !== null && !appliesTo(discount.coupon, productId)) return true
    return discount.startedAt !== null && discount.startedAt > invoice.createdAt
  })
  return new Set(added.map(({ id }) => id))
}

const nothingAdded: Set<string> = new Set()

export function areSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id))
}
