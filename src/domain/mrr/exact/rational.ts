/** An exact fraction in lowest terms with a positive denominator. Money stays a fraction until a state is rounded. */
export type Rational = { readonly top: bigint; readonly bottom: bigint }

export const zero: Rational = { top: 0n, bottom: 1n }
export const one: Rational = { top: 1n, bottom: 1n }

/** The longest decimal text that we accept as a number; longer texts are not money. */
const decimalTextLengthMax = 40

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

/** top / bottom in lowest terms; bottom must not be 0. */
export function ratio(top: bigint, bottom: bigint): Rational {
  if (bottom === 1n) return { top, bottom }
  const sign = bottom < 0n ? -1n : 1n
  const divisor = gcd(top, bottom * sign) * sign
  return { top: top / divisor, bottom: bottom / divisor }
}

/** A safe integer as a fraction; other numbers count as 0, since provider numbers are validated on arrival. */
export function whole(value: number): Rational {
  return Number.isSafeInteger(value) ? { top: BigInt(value), bottom: 1n } : zero
}

/** The exact value of a decimal text such as '12.5'; undefined when it is not one. */
export function rationalOfDecimal(text: string): Rational | undefined {
  if (text.length > decimalTextLengthMax || !/^-?\d+(\.\d+)?$/.test(text)) return undefined
  const [integer = '0', fraction = ''] = text.split('.')
  return ratio(BigInt(integer + fraction), 10n ** BigInt(fraction.length))
}

export function plus(a: Rational, b: Rational): Rational {
  if (a.bottom === 1n && b.bottom === 1n) return { top: a.top + b.top, bottom: 1n }
  return ratio(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)
}

export function minus(a: Rational, b: Rational): Rational {
  return plus(a, { top: -b.top, bottom: b.bottom })
}

export function times(a: Rational, b: Rational): Rational {
  return ratio(a.top * b.top, a.bottom * b.bottom)
}

/** a / b; 0 when b is 0, since a share of nothing is nothing. */
export function over(a: Rational, b: Rational): Rational {
  return b.top === 0n ? zero : ratio(a.top * b.bottom, a.bottom * b.top)
}

/** Negative, 0 or positive as a is below, equal to or above b. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.top * b.bottom - b.top * a.bottom
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export function isPositive(a: Rational): boolean {
  return a.top > 0n
}

export function smaller(a: Rational, b: Rational): Rational {
  return compare(a, b) <= 0 ? a : b
}

export function notBelowZero(a: Rational): Rational {
  return a.top < 0n ? zero : a
}

export function distance(a: Rational, b: Rational): Rational {
  const difference = minus(a, b)
  return difference.top < 0n ? { top: -difference.top, bottom: difference.bottom } : difference
}

export function sumOf(values: readonly Rational[]): Rational {
  return values.reduce(plus, zero)
}

function floorOf(a: Rational): bigint {
  const quotient = a.top / a.bottom
  return a.top < 0n && a.top % a.bottom !== 0n ? quotient - 1n : quotient
}

/** The nearest integer, a half going up. */
export function roundHalfUp(a: Rational): number {
  return Number(floorOf(ratio(a.top * 2n + a.bottom, a.bottom * 2n)))
}

/** '25000/3', or '8333' for a whole number. */
export function textOf(a: Rational): string {
  return a.bottom === 1n ? String(a.top) : `${a.top}/${a.bottom}`
}
