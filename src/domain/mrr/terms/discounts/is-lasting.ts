import { compare, isPositive, minus, notBelowZero, type Rational, whole } from '../../exact/rational.ts'
import type { Pricing } from '../item-terms.ts'
import { amountOffIn, type Lasting, lastingOf } from './coupon.ts'
import { type DiscountPart, type DiscountStack, idsOf } from './discount-stack.ts'

/**
 * Whether the discounts that reduce an item to zero end by themselves (R11). A discount of zero does not count, and a
 * temporary one changes nothing while another takes everything off for ever.
 */
export function lastingOfAll(stack: DiscountStack, gross: Rational, pricing: Pricing): Lasting {
  let left = gross
  for (const part of stack) {
    if (isPositive(left) && takesAllForEver(part, left, gross, pricing)) return 'lasting'
    left = notBelowZero(minus(left, part.off))
  }
  const ids = idsOf(stack.filter(({ off }) => isPositive(off)))
  const each = ids.map((id) => lastingOf(pricing.discounts.get(id)))
  if (each.includes('temporary')) return 'temporary'
  return each.length > 0 && each.every((lasting) => lasting === 'lasting') ? 'lasting' : 'unknown'
}

/** A percentage of 100% takes all that is left; an amount does if it is at least the price of the only item. */
function takesAllForEver(
  { id, off, kind }: DiscountPart,
  left: Rational,
  gross: Rational,
  { discounts, subscription }: Pricing,
): boolean {
  const discount = id === null ? undefined : discounts.get(id)
  if (!discount?.coupon || lastingOf(discount) !== 'lasting') return false
  if (kind === 'percent') return compare(off, left) >= 0
  const amountOff = whole(amountOffIn(discount.coupon, subscription.currency))
  return subscription.items.length === 1 && compare(amountOff, gross) >= 0
}
