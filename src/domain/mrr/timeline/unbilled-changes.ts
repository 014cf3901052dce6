import type { Instant } from '../../instant.ts'
import type { PaymentSubscription, SubscriptionItem } from '../../payments.ts'
import type { Charge, Credit } from '../bills/bill.ts'
import { beginningOf, endOfFreeStretch, isBackdated, isThereFromStart } from '../bills/first-bill.ts'
import { isPositive } from '../exact/rational.ts'
import { renewalDriftSeconds } from '../exact/tolerances.ts'
import { type Pricing, pricingWith } from '../terms/item-terms.ts'
import { statedAmount } from '../terms/stated-amount.ts'
import { isSameQuantity } from './apply-observations.ts'
import { adoptedKeys, endOfGoneItem, goneItems } from './gone-items.ts'
import { areSame, discountsAddedSince, type LastKnown, lastKnownOf } from './last-known.ts'
import { licensedItems } from './licensed-items.ts'
import { type ObservedState, observationId } from './observation.ts'
import type { Closing } from './steps.ts'

type UnbilledChanges = { fresh: ObservedState[]; closings: Closing[] }

/** What changed at an instant. `isSeenOnly`: for some of it, that is only the time of our import. */
type ChangesAt = Pick<ObservedState, 'changedIds' | 'endedIds' | 'insidePeriodIds'> & { isSeenOnly: boolean }

/**
 * A change that no invoice shows: its assumed time, whether that is inside a billed period, and whether the subscription
 * itself shows the time. An import in the very second of a change proves it as a later one does.
 */
type Unbilled = { at: Instant; isInside: boolean; isShown: boolean }

/**
 * Compares the current items with the last bills and observations. A difference becomes a new observation at the earliest
 * provable instant: item creation, period start, or now. A removed item ends at its credit or last billed period (R12,
 * R14).
 */
export function findUnbilledChanges(
  { charges, credits }: { charges: readonly Charge[]; credits: readonly Credit[] },
  observations: readonly ObservedState[],
  pricing: Pricing,
  isCounting: boolean,
  asOf: Instant,
): UnbilledChanges {
  const { subscription } = pricing
  const known = lastKnownOf(charges, observations)
  const adopted = adoptedKeys(known, subscription, credits)
  const closings: Closing[] = []
  const groups = new Map<Instant, ChangesAt>()
  const groupAt = (at: Instant, isShown: boolean): ChangesAt => {
    const group = groups.get(at) ?? { changedIds: [], endedIds: [], insidePeriodIds: [], isSeenOnly: false }
    if (!isShown) group.isSeenOnly = true
    groups.set(at, group)
    return group
  }
  const adoptedItems = new Set(adopted.values())
  const added: Instant[] = []
  const isUnbilledYet = charges.length === 0 && beginningOf(subscription) > asOf
  for (const item of isCounting && !isUnbilledYet ? licensedItems(subscription) : []) {
    if (adoptedItems.has(item.id)) continue
    const unbilled = unbilledOf(item, known.get(item.id), charges, pricing, asOf)
    if (!unbilled) continue
    if (!known.has(item.id)) added.push(unbilled.at)
    const group = groupAt(unbilled.at, unbilled.isShown)
    group.changedIds.push(item.id)
    if (unbilled.isInside) group.insidePeriodIds.push(item.id)
    if (unbilled.at < asOf && isDiscountedSince(item, known.get(item.id), unbilled.at, pricing, asOf)) {
      const discounted = groupAt(asOf, false)
      discounted.changedIds.push(item.id)
      if (unbilled.isInside) discounted.insidePeriodIds.push(item.id)
    }
  }
  for (const [itemKey, last] of goneItems(known, adopted, subscription, credits)) {
    const { at, isBilled, isShown } = endOfGoneItem(
      itemKey,
      last,
      { subscription, added, charges, observations },
      asOf,
    )
    if (isBilled) closings.push({ at, itemKey })
    else groupAt(at, isShown).endedIds.push(itemKey)
  }
  const fresh = [...groups].map(([at, group]) => observedNow(at, group, subscription, observations))
  return { fresh: fresh.sort((a, b) => a.at - b.at), closings }
}

/** An observation of the subscription as it is now. It includes earlier observations of the same instant (R37). */
function observedNow(
  at: Instant,
  group: ChangesAt,
  { id, items, discounts }: PaymentSubscription,
  observations: readonly ObservedState[],
): ObservedState {
  const ownId = observationId(id, at, !group.isSeenOnly)
  const earlier = observations.find((observed) => observed.id === ownId)
  const isHeld = (itemId: string): boolean => items.some((item) => item.id === itemId)
  const joined = (now: readonly string[], before: readonly string[] = []): string[] => [
    ...new Set([...before, ...now]),
  ]
  return {
    kind: 'observed',
    id: ownId,
    subscriptionId: id,
    at,
    endedAs: null,
    items,
    discounts,
    changedIds: joined(group.changedIds, earlier?.changedIds.filter(isHeld)),
    endedIds: joined(group.endedIds, earlier?.endedIds),
    insidePeriodIds: joined(group.insidePeriodIds, earlier?.insidePeriodIds.filter(isHeld)),
  }
}

function unbilledOf(
  item: SubscriptionItem,
  last: LastKnown | undefined,
  charges: readonly Charge[],
  pricing: Pricing,
  asOf: Instant,
): Unbilled | undefined {
  if (!last) {
    const first = firstInstantOf(item, charges, pricing)
    return { at: Math.min(first, asOf), isInside: false, isShown: first <= asOf }
  }
  const { bill, observed, goneAt } = last
  if (bill && !observed && goneAt === undefined && isFreeStretchOver(bill, item, pricing, asOf)) {
    const at = endOfFreeStretch(bill.until, pricing.subscription)
    return at > asOf ? undefined : { at, isInside: false, isShown: true }
  }
  if (goneAt === undefined && isAsKnown(item, last, pricing, asOf)) return undefined
  const until = bill?.until ?? observed?.item.periodEnd ?? 0
  const knownAt = Math.max(bill?.at ?? 0, observed?.at ?? 0, goneAt ?? 0)
  const isInside = item.periodStart < until - renewalDriftSeconds || item.periodStart > asOf
  const isShown = !isInside && item.periodStart > knownAt
  return { at: isShown ? item.periodStart : asOf, isInside, isShown }
}

/** Whether a trial or another free stretch is over and the next bill has not come yet (R16). */
function isFreeStretchOver(bill: Charge, item: SubscriptionItem, pricing: Pricing, asOf: Instant): boolean {
  const { amountCents, discountCents, isProration, until } = bill
  if (amountCents !== 0 || discountCents !== 0 || isProration || until > asOf) return false
  const { trialEnd } = pricing.subscription
  const isTrial = trialEnd !== null && trialEnd <= asOf && until <= trialEnd + renewalDriftSeconds
  if (!isTrial && item.periodStart < until - renewalDriftSeconds) return false
  const stated = statedAmount(item, pricing)
  return stated !== undefined && isPositive(stated)
}

/** Whether a coupon was added or removed between the instant that dates an item and now. */
function isDiscountedSince(
  item: SubscriptionItem,
  last: LastKnown | undefined,
  at: Instant,
  pricing: Pricing,
  asOf: Instant,
): boolean {
  const [then, now] = [at, asOf].map((when) => discountsAddedSince(last?.bill, item, when, pricing))
  return then !== undefined && now !== undefined && !areSame(then, now)
}

/** When an item that neither bills nor observations show yet began. */
function firstInstantOf(
  item: SubscriptionItem,
  charges: readonly Charge[],
  { subscription }: Pricing,
): Instant {
  const firstCharge = charges.reduce<Instant | undefined>(
    (at, { at: other }) => Math.min(at ?? other, other),
    undefined,
  )
  const isAddedLater = !isThereFromStart(item.id, subscription)
  const isOfStart = firstCharge === undefined || (isBackdated(subscription) && !isAddedLater)
  const begin = isOfStart ? beginningOf(subscription) : item.periodStart
  return isAddedLater ? Math.max(item.createdAt, firstCharge ?? begin) : begin
}

function isAsKnown(item: SubscriptionItem, last: LastKnown, pricing: Pricing, asOf: Instant): boolean {
  const { bill, observed } = last
  const added = discountsAddedSince(bill, item, asOf, pricing)
  if (!observed) return bill !== undefined && added.size === 0 && isAsCharged(item, bill, pricing)
  const { state } = observed
  const then = pricingWith(pricing, { discounts: [...state.discounts] })
  const before = discountsAddedSince(bill, observed.item, observed.at, then)
  const isSameSale = observed.item.priceId === item.priceId && observed.item.quantity === item.quantity
  return isSameSale && areSame(added, before)
}

function isAsCharged(item: SubscriptionItem, charge: Charge, pricing: Pricing): boolean {
  const isSamePrice = charge.priceId === null || charge.priceId === item.priceId
  return isSamePrice && isSameQuantity(item, charge.quantity, pricing)
}
