import type { Instant } from '../../instant.ts'
import type { PaymentSubscription } from '../../payments.ts'
import { renewalDriftSeconds, sameRequestSeconds } from '../exact/tolerances.ts'
import type { Charge } from './bill.ts'

/**
 * Whether a subscription began before it was created, like one migrated from another system (R32). A trial counts from
 * its end.
 */
export function isBackdated({ startedAt, createdAt, trialStart }: PaymentSubscription): boolean {
  return startedAt < createdAt && trialStart === null
}

/** Whether an item was part of its subscription from its creation on; a removed item is assumed to have been. */
export function isThereFromStart(itemKey: string, { items, createdAt }: PaymentSubscription): boolean {
  const item = items.find(({ id }) => id === itemKey)
  return item === undefined || item.createdAt <= createdAt + sameRequestSeconds
}

/**
 * R32: what a backdated subscription was sold with counts from its start, even if the first bill is a later renewal. A
 * removed item counts so only if nothing was billed before it.
 */
export function countedFromStart(charges: Charge[], subscription: PaymentSubscription): Charge[] {
  if (!isBackdated(subscription) || charges.length === 0) return charges
  const { startedAt } = subscription
  const firstAt = new Map<string, Instant>()
  for (const { itemKey, at } of charges) firstAt.set(itemKey, Math.min(firstAt.get(itemKey) ?? at, at))
  const earliest = Math.min(...firstAt.values())
  const isHeld = (itemKey: string): boolean => subscription.items.some(({ id }) => id === itemKey)
  return charges.map((charge) => {
    const { itemKey, at } = charge
    const isFirst = at > startedAt && at === firstAt.get(itemKey)
    const isOfStart = isThereFromStart(itemKey, subscription) && (isHeld(itemKey) || at === earliest)
    return isFirst && isOfStart ? { ...charge, countsFrom: startedAt } : charge
  })
}

/** When a subscription without any bill starts to have value: at its start, or after its trial or unbilled stretch. */
export function beginningOf(subscription: PaymentSubscription): Instant {
  const { startedAt, trialEnd, anchorAt = null } = subscription
  if (isBackdated(subscription)) return startedAt
  if (trialEnd !== null && trialEnd > startedAt) return endOfFreeStretch(trialEnd, subscription)
  // Nothing is billed until the first billing day (R16).
  return anchorAt !== null && anchorAt > startedAt + sameRequestSeconds ? anchorAt : startedAt
}

/**
 * When a free stretch ends. `until`: the end of the trial, or of the bill of nothing. A later first billing day prolongs it,
 * and so does a pause after the trial, which ends with one (R16).
 */
export function endOfFreeStretch(until: Instant, { anchorAt = null }: PaymentSubscription): Instant {
  return anchorAt !== null && anchorAt > until + renewalDriftSeconds ? anchorAt : until
}
