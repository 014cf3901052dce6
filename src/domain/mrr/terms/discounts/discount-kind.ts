import type { Pricing } from '../item-terms.ts'
import type { DiscountKind } from './discount-stack.ts'

/**
 * Whether a discount is an amount or a percentage: by its coupon or, if that was deleted, by what it took off other
 * bills.
 */
export function kindOfDiscount(id: string | null, { discounts, discountSamples }: Pricing): DiscountKind {
  if (id === null) return 'unknown'
  const coupon = discounts.get(id)?.coupon
  if (coupon?.amountOffCents != null) return 'amount'
  if (coupon?.percentOff != null) return 'percent'
  return discountSamples().get(id)?.kind ?? 'unknown'
}
