import type { Instant } from '../../../instant.ts'
import type {
  DiscountHolder,
  PaymentCoupon,
  PaymentDiscount,
  PaymentInvoice,
  PaymentSubscription,
  SubscriptionItem,
} from '../../../payments.ts'
import type { MrrPolicy } from '../../exact/policy.ts'
import { sameRequestSeconds } from '../../exact/tolerances.ts'

/** Discounts by id, as far as the account shows the discount of an id. */
export type DiscountBook = ReadonlyMap<string, PaymentDiscount>

/** Objects that name discounts: a subscription, current or as observed earlier. */
type WithDiscounts = { items: readonly SubscriptionItem[]; discounts: readonly PaymentDiscount[] }

/** Every discount object that arrived with a subscription, its invoices or its observations. */
export function discountBookOf(
  subscription: PaymentSubscription,
  invoices: readonly PaymentInvoice[],
  earlier: readonly WithDiscounts[],
): DiscountBook {
  const book = new Map<string, PaymentDiscount>()
  const note = (discounts: readonly PaymentDiscount[] | undefined, holder?: DiscountHolder): void => {
    for (const discount of discounts ?? []) {
      const isBest = discount.coupon !== null || !book.has(discount.id)
      if (isBest) book.set(discount.id, holder ? { holder, ...discount } : discount)
    }
  }
  for (const invoice of invoices) note(invoice.discounts)
  for (const { items, discounts } of earlier)
    for (const list of [...items, { discounts }]) note(list.discounts)
  for (const item of subscription.items) note(item.discounts, 'item')
  note(subscription.discounts, 'subscription')
  return book
}

/**
 * The coupon of a discount: as the account lists it, which names its products too. A coupon that was deleted and made
 * again under its id with other terms leaves the discounts alone that were given before.
 */
export function couponOfDiscount(
  own: PaymentCoupon | null,
  listed: PaymentCoupon | undefined,
): PaymentCoupon | null {
  if (!own || !listed) return own ?? listed ?? null
  const hasTerms = own.percentOff !== null || own.amountOffCents !== null
  const isSame =
    own.percentOff === listed.percentOff &&
    own.amountOffCents === listed.amountOffCents &&
    (own.duration === listed.duration || own.duration === 'unknown')
  return hasTerms && !isSame ? own : listed
}

export type Lasting = 'lasting' | 'temporary' | 'unknown'

/** Whether a coupon lasts for ever or ends by itself (R11). */
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

/** R4's switch: whether this discount lowers MRR under the policy. An unknown discount does. */
export function countsUnder(policy: MrrPolicy, discount: PaymentDiscount | undefined): boolean {
  if (policy.discounts === 'all') return true
  if (policy.discounts === 'lasting') return lastingOf(discount) !== 'temporary'
  return discount?.coupon?.duration !== 'once'
}

/** The discounts that lower a product of an item at an instant, its own before its subscription's (R7), with their coupons. */
export function inForceOn(
  { item, productId, at }: { item: SubscriptionItem | undefined; productId: string | null; at: Instant },
  ofSubscription: readonly PaymentDiscount[],
  book: DiscountBook,
): (PaymentDiscount & { coupon: PaymentCoupon; isOfItem: boolean })[] {
  const held = [
    ...(item?.discounts ?? []).map((discount) => ({ discount, isOfItem: true })),
    ...ofSubscription.map((discount) => ({ discount, isOfItem: false })),
  ]
  return held.flatMap(({ discount, isOfItem }) => {
    const known = discount.coupon ? discount : (book.get(discount.id) ?? discount)
    const { coupon } = known
    if (!coupon || !isInForce(known, at) || !appliesTo(coupon, productId)) return []
    return [{ ...known, coupon, isOfItem }]
  })
}

/** A coupon's amount off in a currency; 0 in a currency that it has no amount for. */
export function amountOffIn(coupon: PaymentCoupon, currency: string): number {
  const { amountOffCents, currencyOptions } = coupon
  if (coupon.currency === null || coupon.currency === currency) return amountOffCents ?? 0
  return (currencyOptions && Object.hasOwn(currencyOptions, currency) && currencyOptions[currency]) || 0
}

/** Whether the discount is in force at the instant. */
function isInForce(discount: PaymentDiscount, at: Instant): boolean {
  return (
    (discount.startedAt === null || discount.startedAt <= at + sameRequestSeconds) &&
    (discount.endsAt === null || discount.endsAt > at)
  )
}

/** Whether a coupon lowers an item of this product. A coupon without a list of products lowers every item. */
export function appliesTo(coupon: PaymentCoupon, productId: string | null): boolean {
  return (
    coupon.appliesToProductIds === null ||
    (productId !== null && coupon.appliesToProductIds.includes(productId))
  )
}
