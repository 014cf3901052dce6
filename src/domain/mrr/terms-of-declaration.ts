import type { SubscriptionItem } from '../payments.ts'
import { unitAsBilled } from './charge-amount.ts'
import { carriedDiscount, lastingOfAll } from './charge-discount.ts'
import type { Declaration } from './evidence.ts'
import { completeTerms, type ItemTerms, type Pricing, UnsupportedSubscription } from './item-terms.ts'
import { billedUnits, isKnownKind } from './price-amount.ts'
import { priceIn } from './price-currency.ts'
import {
  isPositive,
  minus,
  notBelowZero,
  type Rational,
  rationalOfDecimal,
  textOf,
  times,
  whole,
  zero,
} from './rational.ts'
import { discountsInForce } from './standing-discount.ts'
import { statedAmount } from './stated-amount.ts'
import { inclusiveRate, taxInside } from './written-share.ts'

/**
 * The terms of an item by its current price, quantity and coupons, for what no invoice has shown yet. Inside a period that
 * was billed already, the discount of that bill holds on, and what was put on since comes off what is left (R4, R6).
 */
export function termsOfDeclaration(
  declaration: Declaration,
  billed: ItemTerms | undefined,
  pricing: Pricing,
): ItemTerms {
  const { item, at, addedIds } = declaration
  const { price } = item
  const quantity = item.quantity ?? 1
  const unit = unitOf(item, billed, pricing)
  const gross =
    statedAmount(item, pricing) ??
    (isKnownKind(price) ? unit && times(unit, whole(billedUnits(price, quantity))) : undefined)
  if (gross === undefined) {
    const { currency } = pricing.subscription
    throw new UnsupportedSubscription(
      `The price ${item.priceId} does not tell its amount in ${currency}; give it one in ${currency}, or wait for its first invoice`,
    )
  }
  const place = { itemKey: item.id, productId: price.productId, at }
  const carried =
    declaration.isInsideBilledPeriod && billed ? carriedDiscount(billed, gross, pricing) : undefined
  const discount = carried
    ? discountsInForce(place, gross, pricing, addedIds, carried)
    : discountsInForce(place, gross, pricing)
  return completeTerms(
    {
      itemKey: item.id,
      productId: price.productId,
      priceId: item.priceId,
      cadence: { interval: price.interval ?? '', count: price.intervalCount },
      quantity,
      unitKey: unit ? textOf(unit) : item.priceId,
      gross,
      discount: discount.amount,
      discountIds: discount.ids,
      isDiscountFixed: discount.isFixed,
      inclusiveTax: carriedTax(billed, gross, discount.amount),
      source: { kind: 'declaration', declaration },
      rules: rulesOf(declaration, discount.ids.length > 0),
      zeroWhenGrossIsZero: 'lasting',
      zeroWhenDiscounted: lastingOfAll(discount.ids, pricing),
    },
    pricing.policy,
  )
}

/** What a unit costs: by the price, or by its last bill where the price does not tell it in this currency (R34). */
function unitOf(
  item: SubscriptionItem,
  billed: ItemTerms | undefined,
  { subscription, prices }: Pricing,
): Rational | undefined {
  if (item.price.billingScheme === 'tiered') return undefined
  for (const price of [prices.get(item.priceId), item.price]) {
    const unit = rationalOfDecimal(priceIn(price, subscription.currency)?.unitAmountDecimal ?? '')
    if (unit) return unit
  }
  const charge = billed?.source.kind === 'charge' ? billed.source.charge : undefined
  return charge && charge.priceId === item.priceId ? unitAsBilled(charge) : undefined
}

function rulesOf({ item, addedIds }: Declaration, isDiscounted: boolean): string[] {
  const { interval, billingScheme, transformQuantity } = item.price
  const rules = [interval === 'week' || interval === 'day' ? 'R2' : 'R1', 'R20']
  if (isDiscounted) rules.push('R4')
  if (addedIds.size > 0) rules.push('R6')
  if (billingScheme === 'tiered') rules.push('R24')
  if (transformQuantity) rules.push('R25')
  return rules
}

function carriedTax(prior: ItemTerms | undefined, gross: Rational, discount: Rational): Rational {
  if (!prior || !isPositive(prior.inclusiveTax)) return zero
  const rate = inclusiveRate(minus(prior.gross, prior.discount), prior.inclusiveTax)
  return taxInside(notBelowZero(minus(gross, discount)), rate)
}
