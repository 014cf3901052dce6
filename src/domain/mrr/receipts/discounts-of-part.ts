import type { DiscountHolder } from '../../payments.ts'
import { isPositive } from '../exact/rational.ts'
import { amountOffIn, type DiscountBook } from '../terms/discounts/coupon.ts'
import { idsOf } from '../terms/discounts/discount-stack.ts'
import type { ItemTerms } from '../terms/item-terms.ts'

/** A discount of a part, with the terms of its coupon. What is not known is absent. */
export type ReceiptDiscount = {
  id: string
  couponId?: string
  percentOff?: number
  /** Minor units of the receipt's currency. */
  amountOffCents?: number
  duration?: string
  durationInMonths?: number
  holder?: DiscountHolder
}

/** The ids of the discounts that take something off. */
export function discountIdsOf({ discounts }: ItemTerms): string[] {
  return idsOf(discounts.filter(({ off }) => isPositive(off)))
}

/** The discounts that take something off, as far as the account shows them. */
export function discountsOfPart(terms: ItemTerms, book: DiscountBook, currency: string): ReceiptDiscount[] {
  return discountIdsOf(terms).flatMap((id) => {
    const discount = book.get(id)
    if (!discount) return []
    const { coupon, holder } = discount
    const couponId = coupon?.id ?? discount.couponId
    const amountOffCents = coupon && coupon.amountOffCents !== null ? amountOffIn(coupon, currency) : 0
    return {
      id,
      ...(couponId !== null && { couponId }),
      ...(coupon && coupon.percentOff !== null && { percentOff: coupon.percentOff }),
      ...(amountOffCents > 0 && { amountOffCents }),
      ...(coupon && coupon.duration !== 'unknown' && { duration: coupon.duration }),
      ...(coupon && coupon.durationInMonths !== null && { durationInMonths: coupon.durationInMonths }),
      ...(holder && { holder }),
    }
  })
}
