/** An exact fraction; the denominator is positive and the fraction is in lowest terms. */
export type Fraction = {
  readonly num: bigint
  readonly den: bigint
}

export const zero: Fraction = { num: 0n, den: 1n }

function gcd(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a
  let y = b
  while (y > 0n) {
    const rest = x % y
    x = y
    y = rest
  }
  return x
}

/** num/den in lowest terms; both must be whole. Throws on a zero denominator. */
export function fraction(num: number | bigint, den: number | bigint = 1): Fraction {
  const d = BigInt(den)
  if (d === 0n) throw new RangeError('fraction with denominator 0')
  const sign = d < 0n ? -1n : 1n
  const n = BigInt(num) * sign
  const divisor = gcd(n, d * sign) || 1n
  return { num: n / divisor, den: (d * sign) / divisor }
}

/** Parses a plain decimal text such as '12.5'. */
export function fractionOfDecimal(text: string): Fraction {
  const [whole = '0', decimals = ''] = text.split('.')
  return fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length))
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return fraction(a.num * b.den + b.num * a.den, a.den * b.den)
}

export function times(a: Fraction, b: Fraction): Fraction {
  return fraction(a.num * b.num, a.den * b.den)
}

export function isLess(a: Fraction, b: Fraction): boolean {
  return a.num * b.den < b.num * a.den
}

/** Nearest whole number, halves away from zero, so that a credit mirrors its debit to the cent. */
export function roundHalfUp(value: Fraction): number {
  const negative = value.num < 0n
  const magnitude = negative ? -value.num : value.num
  const rounded = Number((2n * magnitude + value.den) / (2n * value.den))
  return negative && rounded !== 0 ? -rounded : rounded
}

/** amount x part / whole, rounded half up: the way percentages become whole cents. */
export function share(amount: number, part: number, whole: number): number {
  return roundHalfUp(fraction(BigInt(amount) * BigInt(part), whole))
}

/** amount x part / whole, rounded down, so that -666.67 becomes -667 and 666.67 becomes 666. */
export function shareDown(amount: number, part: number, whole: number): number {
  const { num, den } = fraction(BigInt(amount) * BigInt(part), whole)
  return Number(num >= 0n ? num / den : -((den - 1n - num) / den))
}

/** A fraction as plain decimal text, rounded half up to the given number of decimals. */
export function decimalText({ num, den }: Fraction, decimals: number): string {
  const magnitude = (num < 0n ? -num : num) * 10n ** BigInt(decimals)
  const digits = String((2n * magnitude + den) / (2n * den)).padStart(decimals + 1, '0')
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
  return num < 0n && text !== '0' ? `-${text}` : text
}
