import type { Charge } from '../bills/bill.ts'
import { inclusiveRate } from '../exact/percent-behind-cents.ts'
import { type Rational, whole } from '../exact/rational.ts'

/** The tax rate in percent from the largest charge that includes tax: for a few cents of tax, many rates would fit. */
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
