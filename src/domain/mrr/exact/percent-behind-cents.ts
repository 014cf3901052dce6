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

/**
 * Finds the percentage behind amounts that were rounded to cents. A partial period's '255 of 774' means 33%: only the
 * exact percentage gives the whole period without a drift of a cent, which would look like a price change.
 */
const hundred = whole(100)

/** What a percentage takes off an amount, in whole cents as the provider rounds: first the amount, then the share. */
export function percentOff(amount: Rational, percent: Rational): Rational {
  return whole(roundHalfUp(over(times(whole(roundHalfUp(amount)), percent), hundred)))
}

/** The tax included in an amount at an inclusive rate in percent, in whole cents. */
export function taxInside(amount: Rational, rate: Rational): Rational {
  return whole(roundHalfUp(over(times(amount, rate), plus(hundred, rate))))
}

type Rule = (amount: Rational, percent: Rational) => Rational

/**
 * The percentage with the fewest digits that turns `amount` into `part`: given candidates first, then 0, 1 and 2
 * decimals.
 */
function plainestPercent(
  amount: Rational,
  part: Rational,
  exact: Rational,
  rule: Rule,
  candidates: readonly Rational[],
): Rational {
  for (const candidate of candidates) if (compare(rule(amount, candidate), part) === 0) return candidate
  for (const digits of [1n, 10n, 100n]) {
    const rounded = ratio(BigInt(roundHalfUp(times(exact, { top: digits, bottom: 1n }))), digits)
    if (compare(rule(amount, rounded), part) === 0) return rounded
  }
  return exact
}

/** The percentage that a discount takes off an amount. `candidates` are tried first. */
export function discountPercent(
  amount: Rational,
  discount: Rational,
  candidates: readonly Rational[] = [],
): Rational {
  if (!isPositive(amount)) return whole(0)
  const exact = over(times(discount, hundred), amount)
  return plainestPercent(amount, discount, exact, percentOff, candidates)
}

/** The inclusive rate in percent that explains the tax included in an amount. `candidates` are tried first. */
export function inclusiveRate(
  amount: Rational,
  tax: Rational,
  candidates: readonly Rational[] = [],
): Rational {
  const exact = over(times(tax, hundred), {
    top: amount.top * tax.bottom - tax.top * amount.bottom,
    bottom: amount.bottom * tax.bottom,
  })
  return plainestPercent(amount, tax, exact, taxInside, candidates)
}

/** A coupon's percentage, given as a number such as 12.5; 0 when it has none. */
export function percentOfNumber(percent: number | null | undefined): Rational {
  return rationalOfDecimal(String(percent ?? 0)) ?? whole(0)
}
