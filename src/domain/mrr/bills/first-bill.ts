import type { Instant } from '../../instant.ts'
import type { PaymentSubscription } from '../../payments.ts'
import { sameRequestSeconds } from '../exact/tolerances.ts'
import type { Charge } from './bill.ts'

/** Whether a subscription began before it was made, as one moved from another system does (R32). A trial dates by its end. */
export function isBackdated({ startedAt, createdAt, trialStart }: PaymentSubscription): boolean {
  return startedAt < createdAt && trialStart === null
}

/** Whether an item was there from the making of its subscription on; of one that is gone nothing tells otherwise. */
export function isThereFromStart(itemKey: string, { items, createdAt }: PaymentSubscription): boolean {
  const item = items.find(({ id }) => id === itemKey)
  return item === undefined || item.createdAt <= createdAt + sameRequestSeconds
}

/**
 * R32: what a backdated subscription was sold with counts from its start on, also where it is billed first at a later renewal.
 * An item that is gone counts so only where nothing was billed before it.
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

/** When a subscription without any bill begins to be worth something: at its start, after its trial or a stretch that is not billed. */
export function beginningOf(subscription: PaymentSubscription, asOf: Instant): Instant {
  const { startedAt, trialEnd, anchorAt = null } = subscription
  if (isBackdated(subscription)) return startedAt
  if (trialEnd !== null && trialEnd > startedAt && trialEnd <= asOf) return trialEnd
  // Nothing is billed until the first billing day (R16).
  return anchorAt !== null && anchorAt > startedAt + sameRequestSeconds ? anchorAt : startedAt
}
