import type { Instant } from '../instant.ts'
import type { PaymentCoupon, SubscriptionItem } from '../payments.ts'
import { amountOffIn, appliesTo, countsUnder, inForceOn } from './coupon.ts'
import type { Pricing } from './item-terms.ts'
import { minus, notBelowZero, over, type Rational, sumOf, times, whole, zero } from './rational.ts'
import { statedAmount } from './stated-amount.ts'
import { percentOff, percentOfNumber } from './written-share.ts'

/** What comes off one whole period of an item, and by which discounts. */
export type TermDiscount = { amount: Rational; ids: string[]; isFixed: boolean }

/**
 * What the coupons on an item and its subscription take off one whole period now: the item's own first (R7). `only` leaves
 * all others out; `before` is what is off already.
 */
export function discountsInForce(
  charged: { itemKey: string; productId: string | null; at: Instant },
  gross: Rational,
  pricing: Pricing,
  only?: ReadonlySet<string>,
  before?: TermDiscount,
): TermDiscount {
  const { subscription, policy, discounts } = pricing
  const { itemKey, productId, at } = charged
  const item = subscription.items.find(({ id }) => id === itemKey)
  let left = before ? notBelowZero(minus(gross, before.amount)) : gross
  const used: { id: string; isFixed: boolean }[] = []
  for (const discount of inForceOn(item, at, subscription.discounts, discounts)) {
    const { coupon, isOfItem } = discount
    if (!countsUnder(policy, discount) || !appliesTo(coupon, productId)) continue
    if (only && !only.has(discount.id)) continue
    const isFixed = coupon.amountOffCents !== null
    const part = isOfItem ? whole(1) : partOf(itemKey, gross, coupon, pricing)
    const off = isFixed
      ? times(whole(amountOffIn(coupon, subscription.currency)), part)
      : percentOff(left, percentOfNumber(coupon.percentOff))
    left = notBelowZero(minus(left, off))
    used.push({ id: discount.id, isFixed })
  }
  const isFixed = used.every((each) => each.isFixed) && (before?.isFixed ?? used.length > 0)
  return { amount: minus(gross, left), ids: [...(before?.ids ?? []), ...used.map(({ id }) => id)], isFixed }
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
