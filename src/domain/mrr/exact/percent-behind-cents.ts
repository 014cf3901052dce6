/**
 * Finds the percentage behind amounts that were rounded to cents. A partial period's '255 of 774' means 33%: only the
 * exact percentage gives the whole period without a drift of a cent, which would look like a price change.
 */
import {
  compare,
  isPositive,
  over,
  plus,
  type Rational,
  ratio,
  rationalOfDecimal,
  roundHalfUp,
  times,
  whole,
} from './rational.ts'

const hundred = whole(100)

/** What a percentage takes off an amount, in whole cents as the provider rounds: first the amount, then the share. */
export function percentOff(amount: Rational, percent: Rational): Rational {
  return whole(roundHalfUp(over(times(whole(roundHalfUp(amount)), percent), hundred)))
}

/** The tax included in an amount at an inclusive rate in percent, in whole cents. */
export function taxInside(amount: Rational, rate: Rational): Rational {
  return whole(roundHalfUp(over(times(amount, rate), plus(hundred, rate))))
}

/** The percentage with the fewest digits that explains the cents: given candidates first, then 0, 1 and 2 decimals. */
function plainestPercent(
  exact: Rational,
  candidates: readonly Rational[],
  explains: (percent: Rational) => boolean,
): Rational {
  const rounded = [1n, 10n, 100n].map((digits) =>
    ratio(BigInt(roundHalfUp(times(exact, { top: digits, bottom: 1n }))), digits),
  )
  return [...candidates, ...rounded].find(explains) ?? exact
}

/** The percentage that a discount takes off an amount. `candidates` are tried first. */
export function discountPercent(
  amount: Rational,
  discount: Rational,
  candidates: readonly Rational[] = [],
): Rational {
  if (!isPositive(amount)) return whole(0)
  const exact = over(times(discount, hundred), amount)
  return plainestPercent(exact, candidates, (percent) => compare(percentOff(amount, percent), discount) === 0)
}

/**
 * The inclusive rate in percent that explains the tax included in an amount. `candidates` are tried first. `lines`: the
 * parts of the amount; the tax of each is rounded.
 */
export function inclusiveRate(
  amount: Rational,
  tax: Rational,
  candidates: readonly Rational[] = [],
  lines: readonly { amount: Rational; tax: Rational }[] = [{ amount, tax }],
): Rational {
  const exact = over(times(tax, hundred), {
    top: amount.top * tax.bottom - tax.top * amount.bottom,
    bottom: amount.bottom * tax.bottom,
  })
  return plainestPercent(exact, candidates, (rate) =>
    lines.every((line) => compare(taxInside(line.amount, rate), line.tax) === 0),
  )
}

/** A coupon's percentage, given as a number such as 12.5; 0 when it has none. */
export function percentOfNumber(percent: number | null | undefined): Rational {
  return rationalOfDecimal(String(percent ?? 0)) ?? whole(0)
}
