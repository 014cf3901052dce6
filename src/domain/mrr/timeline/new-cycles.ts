import type { Instant } from '../../instant.ts'
import type { PaymentSubscription } from '../../payments.ts'
import type { Charge } from '../bills/bill.ts'
import { type Cadence, cadenceOfPeriod } from '../exact/interval.ts'
import { renewalDriftSeconds, sameRequestSeconds } from '../exact/tolerances.ts'

/**
 * When a new item began a billing cycle inside the last billed period of an item that is gone: it took its place, even if
 * nothing was credited (R19). Undefined if none did.
 */
export function replacedAtNewCycle(
  bill: Charge,
  charges: readonly Charge[],
  subscription: PaymentSubscription,
): Instant | undefined {
  const starts = charges
    .filter((charge) => beginsNewCycle(charge, bill, subscription) && isFirstOfItem(charge, charges))
    .map(({ at }) => at)
  return starts.length === 0 ? undefined : Math.min(...starts)
}

/**
 * Items of one subscription share its billing days, and one that is added between them is prorated first. A regular period
 * that fits neither those days nor the other item's interval therefore began a new cycle.
 */
function beginsNewCycle(
  { at, until, isProration }: Charge,
  bill: Charge,
  { anchorAt = null, mixesIntervalsSince }: PaymentSubscription,
): boolean {
  const isInside = at > bill.at + renewalDriftSeconds && at < bill.until - renewalDriftSeconds
  if (isProration || !isInside) return false
  // A change of the interval sets the anchor anew; an item that is added to others keeps theirs.
  if (anchorAt !== null && Math.abs(at - anchorAt) <= sameRequestSeconds) return true
  const own = cadenceOfPeriod(at, until)
  const held = cadenceOfPeriod(bill.at, bill.until)
  if (!own || !held) return false
  if (own.interval === held.interval && own.count === held.count) return true
  const isOneInterval = mixesIntervalsSince === null || at < (mixesIntervalsSince ?? 0)
  return (
    isOneInterval || (isInMonths(own) && isInMonths(held) && !isInMonths(cadenceOfPeriod(at, bill.until)))
  )
}

function isInMonths(cadence: Cadence | undefined): boolean {
  return cadence?.interval === 'month' || cadence?.interval === 'year'
}

function isFirstOfItem({ itemKey, at }: Charge, charges: readonly Charge[]): boolean {
  return charges.every((other) => other.itemKey !== itemKey || other.at >= at)
}
