import type { Instant } from '../../instant.ts'
import type { PaymentPrice, PaymentSubscription, SubscriptionItem } from '../../payments.ts'
import type { Charge } from '../bills/bill.ts'
import type { GonePrices } from '../bills/gone-prices.ts'
import { type Cadence, monthsOf } from '../exact/interval.ts'
import type { MrrPolicy } from '../exact/policy.ts'
import { isPositive, minus, notBelowZero, over, type Rational, smaller } from '../exact/rational.ts'
import type { DiscountedBills } from './discounts/cents-as-billed.ts'
import type { DiscountBook, Lasting } from './discounts/coupon.ts'
import type { DiscountSamples } from './discounts/discount-samples.ts'
import { type DiscountStack, totalOff } from './discounts/discount-stack.ts'

/** The item as the subscription itself states it, where no invoice has shown that yet. */
export type Declaration = {
  at: Instant
  item: SubscriptionItem
  isInsideBilledPeriod: boolean
  /** The discounts put on since its last bill, by id. */
  addedIds: ReadonlySet<string>
}

/** What one item is sold at, from one instant on: the state that R14 keeps per subscription item. */
export type ItemTerms = {
  itemKey: string
  productId: string | null
  priceId: string | null
  cadence: Cadence
  quantity: number
  /** Tells one unit price from another; the amount where there is one, else the price's id. */
  unitKey: string
  /** Minor units for one whole billing period, exact. */
  gross: Rational
  discount: Rational
  /** What `discount` is made of, in the order in which it comes off. */
  discounts: DiscountStack
  inclusiveTax: Rational
  /** Net of discount and inclusive tax, per month. */
  monthly: Rational
  /** Why the item is worth nothing, in the words of R11; null while it is worth something. */
  zeroBecause: Lasting | null
  source: { kind: 'charge'; charge: Charge } | { kind: 'declaration'; declaration: Declaration }
}

/** What the figures of one subscription are worked out with. */
export type Pricing = {
  subscription: PaymentSubscription
  policy: MrrPolicy
  discounts: DiscountBook
  prices: ReadonlyMap<string, PaymentPrice>
  /** What each discount took off whole periods; worked out when first asked for. */
  discountSamples: () => DiscountSamples
  /** Bills of whole periods under a discount; worked out likewise. */
  discountedBills: () => DiscountedBills
  /** The rate of the tax inside the largest of its bills, in percent; none where no tax is inside. Worked out likewise. */
  inclusiveRates: () => readonly Rational[]
  /** What regular bills tell of prices that are gone, of any of the customer's subscriptions. */
  gonePrices: GonePrices
  /** How often items were billed, by item key; worked out likewise. */
  cadencesOfItems: () => ReadonlyMap<string, Cadence>
}

/** Raised and caught inside the engine: a person has to look before this subscription can be counted. */
export class UnsupportedSubscription extends Error {}

/** The parts of a figure before they are put together. */
type TermParts = Omit<ItemTerms, 'monthly' | 'discount' | 'zeroBecause'> & {
  zeroWhenGrossIsZero: Lasting
  zeroWhenDiscounted: Lasting
}

/** Puts an item's terms together: net = gross - discount - inclusive tax, never below 0, over the interval's months. */
export function completeTerms(parts: TermParts, policy: MrrPolicy): ItemTerms {
  const { zeroWhenGrossIsZero, zeroWhenDiscounted, ...rest } = parts
  const months = monthsOf(parts.cadence, policy)
  if (!months) {
    const { interval, count } = parts.cadence
    throw new UnsupportedSubscription(`The billing interval '${count} ${interval}' is not known`)
  }
  const discount = smaller(totalOff(parts.discounts), parts.gross)
  const net = notBelowZero(minus(minus(parts.gross, discount), parts.inclusiveTax))
  const zeroReason = isPositive(parts.gross) ? zeroWhenDiscounted : zeroWhenGrossIsZero
  return {
    ...rest,
    discount,
    monthly: over(net, months),
    zeroBecause: isPositive(net) ? null : zeroReason,
  }
}
