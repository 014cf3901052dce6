import { over, type Rational, ratio, times, whole } from './rational.ts'

/** Whole units of most currencies, then their tenths, then cents: what prices are made of. */
const steps = [100n, 10n, 1n]

/**
 * A whole period's amount behind the amount of a part, which was rounded to cents: the plainest unit price that gives it. Only
 * that carries over to the next bill without a cent of drift. `parts`: the share of the period times the quantity.
 */
export function plainestUnit(billedCents: number, parts: Rational, quantity: number): Rational {
  const units = whole(Math.max(quantity, 1))
  // The provider rounds down as recorded, and to the nearest cent as of old.
  const low = over(ratio(BigInt(2 * billedCents - 1), 2n), parts)
  const high = over(whole(billedCents + 1), parts)
  for (const step of steps) {
    const rounded = ((low.top + low.bottom * step - 1n) / (low.bottom * step)) * step
    if (rounded > 0n && rounded * high.bottom < high.top) return times({ top: rounded, bottom: 1n }, units)
  }
  return times(over(whole(billedCents), parts), units)
}
