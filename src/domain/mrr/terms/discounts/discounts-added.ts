import { compare, minus, notBelowZero, type Rational } from '../../exact/rational.ts'
import type { Declaration, Pricing } from '../item-terms.ts'
import type { DiscountBook } from './coupon.ts'
import { type DiscountPart, type DiscountStack, stackOn, totalOff } from './discount-stack.ts'
import { discountsInForce } from './discounts-in-force.ts'

/**
 * The discounts of the last bill, plus those added since. Where a coupon took the place of a billed one, no bill has both:
 * the larger of what was billed and what stands now counts (R6).
 */
export function discountsAddedTo(
  carried: DiscountStack,
  declaration: Declaration,
  gross: Rational,
  pricing: Pricing,
): DiscountPart[] {
  const { item, at, addedIds } = declaration
  const standing = discountsInForce({ itemKey: item.id, productId: item.price.productId, at }, gross, pricing)
  const standingIds = new Set(standing.map(({ id }) => id))
  const isReplaced = carried.some(({ id }) => !standingIds.has(id) && isKnown(id, pricing.discounts))
  if (addedIds.size === 0 || !isReplaced) return bothOf(carried, declaration, gross, pricing)
  return compare(totalOff(standing), totalOff(carried)) > 0 ? standing : [...carried]
}

/** Whether the coupon of a discount is known, so that its absence means that the discount is gone. */
function isKnown(id: string | null, book: DiscountBook): boolean {
  return id !== null && book.get(id)?.coupon != null
}

/**
 * A coupon added to the item itself comes off before those of its subscription (R7), as on the next bill, so that bill
 * shows no change of price.
 */
function bothOf(
  carried: DiscountStack,
  { item, at, addedIds }: Declaration,
  gross: Rational,
  pricing: Pricing,
): DiscountPart[] {
  const place = { itemKey: item.id, productId: item.price.productId, at }
  const ofItem = new Set(item.discounts.map(({ id }) => id))
  const addedToItem = new Set([...addedIds].filter((id) => ofItem.has(id)))
  const addedToOthers = new Set([...addedIds].filter((id) => !ofItem.has(id)))
  if (addedToItem.size === 0) return discountsInForce(place, gross, pricing, addedIds, carried)
  const isOwn = ({ id }: DiscountPart): boolean => id !== null && ofItem.has(id)
  const ownBefore = carried.filter(isOwn)
  const own = discountsInForce(place, gross, pricing, addedToItem, ownBefore)
  const others = stackOn(
    carried.filter((part) => !isOwn(part)),
    notBelowZero(minus(gross, totalOff(ownBefore))),
    notBelowZero(minus(gross, totalOff(own))),
    'percent',
    pricing.discounts,
  )
  return discountsInForce(place, gross, pricing, addedToOthers, [...own, ...others])
}
