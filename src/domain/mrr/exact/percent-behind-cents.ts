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
 * Percentages behind amounts that were rounded to cents. A part of a period that says '255 of 774' means 33%: only that
 * carries over to the whole period without a cent of drift, which would look like a change at the next renewal.
 */
const hundred = whole(100)

/** What a percentage takes off an amount, in whole cents as the provider rounds it: first the amount, then the share. */
export function percentOff(amount: Rational, percent: Rational): Rational {
  return whole(roundHalfUp(over(times(whole(roundHalfUp(amount)), percent), hundred)))
}

/** The tax inside an amount at an inclusive rate in percent, in whole cents. */
export function taxInside(amount: Rational, rate: Rational): Rational {
  return whole(roundHalfUp(over(times(amount, rate), plus(hundred, rate))))
}

type Rule = (amount: Rational, percent: Rational) => Rational

/** The percentage in full digits that makes `part` out of `amount`: the given ones first, then 0, 1 and 2 decimals. */
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

/** The percentage that a discount is of an amount. `candidates` are tried before any other. */
export function discountPercent(
  amount: Rational,
  discount: Rational,
  candidates: readonly Rational[] = [],
): Rational {
  if (!isPositive(amount)) return whole(0)
  const exact = over(times(discount, hundred), amount)
  return plainestPercent(amount, discount, exact, percentOff, candidates)
}

/** The inclusive rate in percent behind a tax inside an amount. `candidates` are tried before any other. */
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

/** A coupon's percentage, which comes as a number such as 12.5; 0 where it is none. */
export function percentOfNumber(percent: number | null | undefined): Rational {
  return rationalOfDecimal(String(percent ?? 0)) ?? whole(0)
}
