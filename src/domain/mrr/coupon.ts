import type { Instant } from '../instant.ts'
import type { PaymentCoupon, PaymentDiscount, PaymentInvoice, PaymentSubscription } from '../payments.ts'
import type { MrrPolicy } from './policy.ts'

/** Discounts by their id, as far as the account shows what is behind an id. */
export type DiscountBook = ReadonlyMap<string, PaymentDiscount>

/** Every discount object that came with a subscription or its invoices. */
export function discountBookOf(
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
): DiscountBook {
  const book = new Map<string, PaymentDiscount>()
  const note = (discounts: readonly PaymentDiscount[] | undefined): void => {
    for (const discount of discounts ?? []) {
      if (discount.coupon !== null || !book.has(discount.id)) book.set(discount.id, discount)
    }
  }
  for (const invoice of invoices) note(invoice.discounts)
  for (const item of subscription.items) note(item.discounts)
  note(subscription.discounts)
  return book
}

export type Lasting = 'lasting' | 'temporary' | 'unknown'

/** Whether a coupon goes on for ever or runs out by itself (R11). */
export function lastingOf(discount: PaymentDiscount | undefined): Lasting {
  if (discount?.endsAt != null) return 'temporary'
  switch (discount?.coupon?.duration) {
    case 'once':
    case 'repeating':
      return 'temporary'
    case 'forever':
      return 'lasting'
    default:
      return 'unknown'
  }
}

/** R4's switch: whether this discount lowers MRR under the policy. An unknown one does. */
export function countsUnder(policy: MrrPolicy, discount: PaymentDiscount | undefined): boolean {
  if (policy.discounts === 'all') return true
  if (policy.discounts === 'lasting') return lastingOf(discount) !== 'temporary'
  return discount?.coupon?.duration !== 'once'
}

/** Whether the discount is in force at the instant. */
export function isInForce(discount: PaymentDiscount, at: Instant): boolean {
  return (
    (discount.startedAt === null || discount.startedAt <= at) &&
    (discount.endsAt === null || discount.endsAt > at)
  )
}

export function appliesTo(coupon: PaymentCoupon, productId: string | null): boolean {
  return (
    coupon.appliesToProductIds === null ||
    (productId !== null && coupon.appliesToProductIds.includes(productId))
  )
}
