import { over, type Rational, ratio, times, whole } from './rational.ts'

/** Whole units of most currencies, then tenths, then cents: the steps in which people set prices. */
const steps = [100n, 10n, 1n]

/**
 * The amount of a whole period behind a partial period's amount in cents: the simplest unit price that yields it, so the
 * next bill shows no drift of a cent. `parts`: share of the period times quantity.
 */
export function plainestUnit(billedCents: number, parts: Rational, quantity: number): Rational {
  const units = whole(Math.max(quantity, 1))
  // The provider's recorded amounts are rounded down, older ones to the nearest cent.
  const low = over(ratio(BigInt(2 * billedCents - 1), 2n), parts)
  const high = over(whole(billedCents + 1), parts)
  for (const step of steps) {
    const rounded = ((low.top + low.bottom * step - 1n) / (low.bottom * step)) * step
    if (rounded > 0n && rounded * high.bottom < high.top) return times({ top: rounded, bottom: 1n }, units)
  }
  return times(over(whole(billedCents), parts), units)
}
