import type { Charge } from '../bills/bill.ts'
import { inclusiveRate } from '../exact/percent-behind-cents.ts'
import { minus, type Rational, whole } from '../exact/rational.ts'
import type { ItemTerms } from './item-terms.ts'

/** The tax rate in percent from the largest charge that includes tax: for a few cents of tax, many rates would fit. */
export function inclusiveRatesOf(charges: readonly Charge[]): Rational[] {
  const largest = charges.reduce<Charge | undefined>((most, charge) => {
    if (charge.inclusiveTaxCents <= 0) return most
    return most && taxedCents(most) >= taxedCents(charge) ? most : charge
  }, undefined)
  return largest ? [rateOfCharge(largest, [])] : []
}

/** The tax rate in percent inside a charge. `candidates` are tried first. */
export function rateOfCharge(charge: Charge, candidates: readonly Rational[]): Rational {
  const taxed = taxedCents(charge)
  const lines = charge.lines.map((line) => ({
    amount: whole(line.amountCents - line.discountCents),
    tax: whole(line.inclusiveTaxCents),
  }))
  // Older lines do not state the discount of their invoice.
  const isStated =
    charge.lines.reduce((sum, { discountCents }) => sum + discountCents, 0) === charge.discountCents
  const tax = whole(charge.inclusiveTaxCents)
  return inclusiveRate(whole(taxed), tax, candidates, isStated ? lines : undefined)
}

/** The tax rate in percent inside terms that include tax. `candidates` are tried first. */
export function rateOfTerms(
  { source, gross, discount, inclusiveTax }: ItemTerms,
  candidates: readonly Rational[] = [],
): Rational {
  return source.kind === 'charge' && source.charge.inclusiveTaxCents > 0
    ? rateOfCharge(source.charge, candidates)
    : inclusiveRate(minus(gross, discount), inclusiveTax, candidates)
}

function taxedCents({ amountCents, discountCents }: Charge): number {
  return amountCents - discountCents
}
