import type { Pricing } from '../item-terms.ts'
import type { DiscountKind, DiscountPart, DiscountStack } from './discount-stack.ts'

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

/** The same discounts, each with its kind where anything shows it. */
export function withKinds(stack: DiscountStack, pricing: Pricing): DiscountPart[] {
  return stack.map((part) =>
    part.kind === 'unknown' ? { ...part, kind: kindOfDiscount(part.id, pricing) } : part,
  )
}
