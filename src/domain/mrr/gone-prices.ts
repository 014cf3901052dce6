import type { Charge } from './evidence.ts'
import { type Cadence, cadenceOfPeriod } from './interval.ts'

/**
 * How often prices that are gone were billed, as the longest service period shows that is no proration; by price id and by
 * item key. A proration's own stretch says nothing of it.
 */
export function cadencesOfGonePrices(charges: readonly Charge[]): Map<string, Cadence> {
  const cadences = new Map<string, Cadence>()
  const gone = charges.filter(({ price, isProration }) => !price?.interval && !isProration)
  for (const { at, until, priceId, itemKey } of gone.sort((a, b) => a.until - a.at - (b.until - b.at))) {
    const cadence = cadenceOfPeriod(at, until)
    if (!cadence) continue
    cadences.set(itemKey, cadence)
    if (priceId !== null) cadences.set(priceId, cadence)
  }
  return cadences
}
