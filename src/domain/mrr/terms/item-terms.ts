import type { Instant } from '../../instant.ts'
import type { PaymentPrice, PaymentSubscription, SubscriptionItem } from '../../payments.ts'
import type { Charge, Credit } from '../bills/bill.ts'
import type { GonePrices } from '../bills/gone-prices.ts'
import { type Cadence, monthsOf } from '../exact/interval.ts'
import type { MrrPolicy } from '../exact/policy.ts'
import { isPositive, minus, notBelowZero, over, type Rational, smaller } from '../exact/rational.ts'
import type { WholeBills } from './discounts/cents-as-billed.ts'
import type { DiscountBook, Lasting } from './discounts/coupon.ts'
import type { DiscountSamples } from './discounts/discount-samples.ts'
import { type DiscountStack, totalOff } from './discounts/discount-stack.ts'

/** The item as the subscription itself states it, before an invoice shows it. */
export type Declaration = {
  at: Instant
  item: SubscriptionItem
  isInsideBilledPeriod: boolean
  /** The ids of discounts added since the last bill. */
  addedIds: ReadonlySet<string>
}

/** The terms at which one item is sold from an instant on: the state that R14 keeps per subscription item. */
export type ItemTerms = {
  itemKey: string
  productId: string | null
  priceId: string | null
  cadence: Cadence
  quantity: number
  /** Distinguishes unit prices: the amount if there is one, otherwise the price's id. */
  unitKey: string
  /** Minor units for one whole billing period, exact. */
  gross: Rational
  discount: Rational
  /** The single discounts in `discount`, in the order of application. */
  discounts: DiscountStack
  inclusiveTax: Rational
  /** Net of discount and inclusive tax, per month. */
  monthly: Rational
  /** Why the item is worth nothing, in the terms of R11; null while it has a value. */
  zeroBecause: Lasting | null
  source: { kind: 'charge'; charge: Charge } | { kind: 'declaration'; declaration: Declaration }
  /** Its part of an amount off is another than on its bill, because other items came or went since. */
  isSpread?: true
  /** The money back that left it without units: its bill no longer tells what is sold. */
  emptiedBy?: readonly Credit[]
}

/** What the engine needs to price the items of one subscription. */
export type Pricing = {
  subscription: PaymentSubscription
  policy: MrrPolicy
  discounts: DiscountBook
  prices: ReadonlyMap<string, PaymentPrice>
  /** What each discount took off whole periods; computed on first use. */
  discountSamples: () => DiscountSamples
  /** Bills of whole periods with a discount or included tax; computed on first use. */
  wholeBills: () => WholeBills
  /** The tax rate in percent from its largest bill that includes tax; empty if none does. Computed on first use. */
  inclusiveRates: () => readonly Rational[]
  /** What regular bills show of deleted prices, from all subscriptions of the customer. */
  gonePrices: GonePrices
  /** How often items were billed, by item key; computed on first use. */
  cadencesOfItems: () => ReadonlyMap<string, Cadence>
}

/** The pricing of the same subscription with other items or discounts, as at another time. */
export function pricingWith(
  pricing: Pricing,
  held: Partial<Pick<PaymentSubscription, 'items' | 'discounts'>>,
): Pricing {
  return { ...pricing, subscription: { ...pricing.subscription, ...held } }
}

/** Thrown and caught inside the engine: a person must check the subscription before it can be counted. */
export class UnsupportedSubscription extends Error {}

/** The parts of a figure before they are combined. */
type TermParts = Omit<ItemTerms, 'monthly' | 'discount' | 'zeroBecause'> & {
  zeroWhenGrossIsZero: Lasting
  zeroWhenDiscounted: Lasting
}

/** Combines an item's terms: net = gross - discount - inclusive tax, never below 0, divided by the interval's months. */
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
