import type { Instant } from '../instant.ts'
import type { PaymentCoupon, SubscriptionItem } from '../payments.ts'
import { appliesTo, countsUnder, isInForce } from './coupon.ts'
import type { Pricing } from './item-terms.ts'
import { minus, notBelowZero, over, type Rational, sumOf, times, whole, zero } from './rational.ts'
import { statedAmount } from './stated-amount.ts'
import { percentOff, percentOfNumber } from './written-share.ts'

/** What comes off one whole period of an item, and by which discounts. */
export type TermDiscount = { amount: Rational; ids: string[]; isFixed: boolean }

/** What the coupons on an item and its subscription take off one whole period now: the item's own first (R7). */
export function discountsInForce(
  itemKey: string,
  productId: string | null,
  at: Instant,
  gross: Rational,
  pricing: Pricing,
): TermDiscount {
  const { subscription, policy, discounts } = pricing
  const own = subscription.items.find(({ id }) => id === itemKey)?.discounts ?? []
  let left = gross
  const used: { id: string; isFixed: boolean }[] = []
  for (const held of [...own, ...subscription.discounts]) {
    const discount = held.coupon ? held : (discounts.get(held.id) ?? held)
    const { coupon } = discount
    if (!coupon || !isInForce(discount, at) || !countsUnder(policy, discount)) continue
    if (!appliesTo(coupon, productId)) continue
    const isFixed = coupon.amountOffCents !== null
    const part = own.includes(held) ? whole(1) : partOf(itemKey, gross, coupon, pricing)
    const off = isFixed
      ? fixedOff(coupon, part, pricing)
      : percentOff(left, percentOfNumber(coupon.percentOff))
    left = notBelowZero(minus(left, off))
    used.push({ id: discount.id, isFixed })
  }
  return {
    amount: minus(gross, left),
    ids: used.map(({ id }) => id),
    isFixed: used.length > 0 && used.every(({ isFixed }) => isFixed),
  }
}

function fixedOff(coupon: PaymentCoupon, part: Rational, { subscription }: Pricing): Rational {
  const isOwnCurrency = coupon.currency === null || coupon.currency === subscription.currency
  return isOwnCurrency ? times(whole(coupon.amountOffCents ?? 0), part) : zero
}

/** An item's part of an amount that is off the whole invoice: by its price among all items the coupon is for (R5). */
function partOf(itemKey: string, gross: Rational, coupon: PaymentCoupon, pricing: Pricing): Rational {
  const isSharing = ({ id, price }: SubscriptionItem): boolean =>
    id !== itemKey && price.usageType !== 'metered' && appliesTo(coupon, price.productId)
  const others = pricing.subscription.items
    .filter(isSharing)
    .map((item) => statedAmount(item, pricing) ?? zero)
  return over(gross, sumOf([gross, ...others]))
}
