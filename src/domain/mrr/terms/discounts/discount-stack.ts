import { discountPercent, percentOff, percentOfNumber } from '../../exact/percent-behind-cents.ts'
import { minus, notBelowZero, type Rational, smaller, sumOf } from '../../exact/rational.ts'
import type { DiscountBook } from './coupon.ts'

/** Whether a discount is an amount or a percentage; unknown when its coupon was deleted. */
export type DiscountKind = 'amount' | 'percent' | 'unknown'

/** What one discount takes off a whole period of an item, in minor units. */
export type DiscountPart = { id: string | null; off: Rational; kind: DiscountKind }

/** The discounts of an item in the order of application: each reduces what the previous ones left. */
export type DiscountStack = readonly DiscountPart[]

/** What all discounts together take off, in minor units of a whole period. */
export function totalOff(stack: DiscountStack): Rational {
  return sumOf(stack.map(({ off }) => off))
}

export function idsOf(stack: DiscountStack): string[] {
  return stack.flatMap(({ id }) => id ?? [])
}

/**
 * The same discounts on another gross amount, without those that `isKept` refuses. `unknownAs` is the kind assumed for a
 * discount whose coupon was deleted.
 */
export function stackOn(
  stack: DiscountStack,
  before: Rational,
  after: Rational,
  unknownAs: Exclude<DiscountKind, 'unknown'>,
  book: DiscountBook,
  isKept: (part: DiscountPart) => boolean = () => true,
): DiscountPart[] {
  let [leftBefore, leftAfter] = [before, after]
  return stack.flatMap((part) => {
    const kind = part.kind === 'unknown' ? unknownAs : part.kind
    const percent = discountPercent(leftBefore, part.off, couponPercents(part.id, book))
    const off = smaller(kind === 'amount' ? part.off : percentOff(leftAfter, percent), leftAfter)
    leftBefore = notBelowZero(minus(leftBefore, part.off))
    if (!isKept(part)) return []
    leftAfter = minus(leftAfter, off)
    return { ...part, off }
  })
}

/** The percentage of a discount's coupon, if it is known to have one. */
export function couponPercents(id: string | null, book: DiscountBook): Rational[] {
  const percent = id === null ? undefined : book.get(id)?.coupon?.percentOff
  return percent == null ? [] : [percentOfNumber(percent)]
}
