import type { Charge } from '../bills/bill.ts'
import { inclusiveRate } from '../exact/percent-behind-cents.ts'
import { type Rational, whole } from '../exact/rational.ts'

/** The rate in percent of the tax inside the largest charge that has any: of a few cents many rates make the same tax. */
export function inclusiveRatesOf(charges: readonly Charge[]): Rational[] {
  const largest = charges.reduce<Charge | undefined>((most, charge) => {
    if (charge.inclusiveTaxCents <= 0) return most
    return most && taxedCents(most) >= taxedCents(charge) ? most : charge
  }, undefined)
  return largest ? [inclusiveRate(whole(taxedCents(largest)), whole(largest.inclusiveTaxCents))] : []
}

function taxedCents({ amountCents, discountCents }: Charge): number {
  return amountCents - discountCents
}
