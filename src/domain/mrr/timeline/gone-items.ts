import type { Instant } from '../../instant.ts'
import type { PaymentSubscription } from '../../payments.ts'
import type { Charge, Credit } from '../bills/bill.ts'
import type { LastKnown } from './last-known.ts'
import { isLicensedIn, licensedItems } from './licensed-items.ts'
import { replacedAtNewCycle } from './new-cycles.ts'
import type { ObservedState } from './observation.ts'

/** Invoices that name an unknown item id for the same price and quantity mean the item that has no invoice of its own. */
export function adoptedKeys(
  known: ReadonlyMap<string, LastKnown>,
  subscription: PaymentSubscription,
  credits: readonly Credit[],
): Map<string, string> {
  const adopted = new Map<string, string>()
  for (const item of licensedItems(subscription)) {
    if (known.has(item.id)) continue
    for (const [itemKey, { bill, goneAt }] of known) {
      if (goneAt !== undefined || isCredited(itemKey, bill, credits)) continue
      const isFree = !adopted.has(itemKey) && !subscription.items.some(({ id }) => id === itemKey)
      if (isFree && bill && bill.priceId === item.priceId && bill.quantity === (item.quantity ?? 1)) {
        adopted.set(itemKey, item.id)
        break
      }
    }
  }
  return adopted
}

/** The billed or observed items that the subscription no longer has, without those whose end is known. */
export function goneItems(
  known: ReadonlyMap<string, LastKnown>,
  adopted: ReadonlyMap<string, string>,
  { items }: PaymentSubscription,
  credits: readonly Credit[],
): [string, LastKnown][] {
  return [...known].filter(([itemKey, { bill, goneAt }]) => {
    const isHeld = items.length === 0 || isLicensedIn(items, itemKey)
    return !isHeld && goneAt === undefined && !adopted.has(itemKey) && !isCredited(itemKey, bill, credits)
  })
}

/** `isBilled`: bills show the end. Otherwise it is observed; `isShown`: another item that took its place dates it. */
type GoneEnd = { at: Instant; isBilled: boolean; isShown: boolean }

/** What tells of a gone item's end; `added`: when new items began. */
type Evidence = {
  subscription: PaymentSubscription
  added: readonly Instant[]
  charges: readonly Charge[]
  observations: readonly ObservedState[]
}

/**
 * When a gone item ended: where another one took its place, otherwise with its last billed period, otherwise now.
 */
export function endOfGoneItem(
  itemKey: string,
  last: LastKnown,
  { subscription, added, charges, observations }: Evidence,
  asOf: Instant,
): GoneEnd {
  const { bill, observed } = last
  const isPeriodOver = bill !== undefined && bill.until <= asOf && (observed?.at ?? 0) < bill.until
  const latest = isPeriodOver ? bill.until : asOf
  const since = lastHeldAt(itemKey, last, observations)
  const replacedAt = added.filter((at) => at > since && at < latest).sort((a, b) => a - b)[0]
  const cycleAt = bill && replacedAtNewCycle(bill, charges, subscription)
  if (cycleAt !== undefined && cycleAt > since && cycleAt <= (replacedAt ?? latest))
    return { at: cycleAt, isBilled: true, isShown: true }
  if (replacedAt !== undefined) return { at: replacedAt, isBilled: false, isShown: true }
  return { at: latest, isBilled: bill?.until === latest, isShown: false }
}

/** When a removed item was last billed or seen; an item that starts after that replaced it. */
function lastHeldAt(itemKey: string, last: LastKnown, observations: readonly ObservedState[]): Instant {
  const held = observations.filter(({ items }) => isLicensedIn(items, itemKey)).map(({ at }) => at)
  return Math.max(last.bill?.at ?? 0, last.observed?.at ?? 0, ...held)
}

/** Whether a credit ended an item. A credit in the second of the last bill is the other half of a change. */
function isCredited(itemKey: string, bill: Charge | undefined, credits: readonly Credit[]): boolean {
  return credits.some((credit) => credit.itemKey === itemKey && credit.at > (bill?.at ?? -1))
}
