import type { Instant } from '../../../instant.ts'
import type { PaymentCoupon, SubscriptionItem } from '../../../payments.ts'
import { percentOff, percentOfNumber } from '../../exact/percent-behind-cents.ts'
import {
  compare,
  minus,
  notBelowZero,
  over,
  type Rational,
  smaller,
  sumOf,
  times,
  whole,
  zero,
} from '../../exact/rational.ts'
import type { Pricing } from '../item-terms.ts'
import { statedAmount, statedLines } from '../stated-amount.ts'
import { amountOffIn, appliesTo, countsUnder, inForceOn } from './coupon.ts'
import type { DiscountPart, DiscountStack } from './discount-stack.ts'
import { totalOff } from './discount-stack.ts'

/**
 * What the coupons on an item and its subscription take off one whole period now: the item's own first (R7). `only`
 * restricts the result to these coupons; `before` holds the discounts already taken off.
 */
export function discountsInForce(
  charged: { itemKey: string; productId: string | null; at: Instant },
  gross: Rational,
  pricing: Pricing,
  only?: ReadonlySet<string>,
  before: DiscountStack = [],
): DiscountPart[] {
  const { subscription, policy, discounts } = pricing
  const { itemKey, productId, at } = charged
  const item = subscription.items.find(({ id }) => id === itemKey)
  let left = notBelowZero(minus(gross, totalOff(before)))
  // A percentage is rounded per line; how an amount is split between the lines of an item is unknown.
  const stated = item && before.length === 0 ? statedLines(item, pricing) : undefined
  let lines = stated && compare(sumOf(stated), gross) === 0 ? stated : [left]
  const used: DiscountPart[] = []
  for (const discount of inForceOn({ item, productId, at }, subscription.discounts, discounts)) {
    const { coupon, isOfItem } = discount
    if (!countsUnder(policy, discount)) continue
    if (only && !only.has(discount.id)) continue
    const isAmount = coupon.amountOffCents !== null
    const part = isOfItem ? whole(1) : partOf(itemKey, gross, coupon, pricing)
    const amountOff = times(whole(amountOffIn(coupon, subscription.currency)), part)
    const shares = lines.map((line) => percentOff(line, percentOfNumber(coupon.percentOff)))
    const off = smaller(isAmount ? amountOff : sumOf(shares), left)
    left = minus(left, off)
    lines = isAmount ? [left] : lines.map((line, index) => minus(line, shares[index] ?? zero))
    used.push({ id: discount.id, off, kind: isAmount ? 'amount' : 'percent' })
  }
  return [...before, ...used]
}

/**
 * An item's part of an amount off the whole invoice: in proportion to its price among all items that the coupon covers
 * (R5).
 */
function partOf(itemKey: string, gross: Rational, coupon: PaymentCoupon, pricing: Pricing): Rational {
  const isSharing = ({ id, price }: SubscriptionItem): boolean =>
    id !== itemKey && price.usageType !== 'metered' && appliesTo(coupon, price.productId)
  const others = pricing.subscription.items
    .filter(isSharing)
    .map((item) => statedAmount(item, pricing) ?? zero)
  return over(gross, sumOf([gross, ...others]))
}
