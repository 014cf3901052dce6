import { carriedDiscount, lastingOfAll } from './charge-discount.ts'
import type { Declaration } from './evidence.ts'
import { completeTerms, type ItemTerms, type Pricing, UnsupportedSubscription } from './item-terms.ts'
import {
  isPositive,
  minus,
  notBelowZero,
  type Rational,
  rationalOfDecimal,
  textOf,
  zero,
} from './rational.ts'
import { discountsInForce } from './standing-discount.ts'
import { statedAmount } from './stated-amount.ts'
import { inclusiveRate, taxInside } from './written-share.ts'

/**
 * The terms of an item by its current price, quantity and coupons, for what no invoice has shown yet. Inside a period that
 * was billed already, the discount of that bill holds on (R4, R6).
 */
export function termsOfDeclaration(
  declaration: Declaration,
  prior: ItemTerms | undefined,
  pricing: Pricing,
): ItemTerms {
  const { item } = declaration
  const { price } = item
  const quantity = item.quantity ?? 1
  const gross = statedAmount(item, pricing)
  if (gross === undefined) {
    const { currency } = pricing.subscription
    throw new UnsupportedSubscription(`The price ${item.priceId} does not tell its amount in ${currency}`)
  }
  const discount =
    declaration.isInsideBilledPeriod && prior
      ? carriedDiscount(prior, gross, pricing)
      : discountsInForce(item.id, price.productId, declaration.at, gross, pricing)
  const unit = price.billingScheme === 'tiered' ? undefined : rationalOfDecimal(price.unitAmountDecimal ?? '')
  return completeTerms(
    {
      itemKey: declaration.itemKey,
      productId: price.productId,
      priceId: item.priceId,
      cadence: { interval: price.interval ?? '', count: price.intervalCount },
      quantity,
      unitKey: unit ? textOf(unit) : item.priceId,
      gross,
      discount: discount.amount,
      discountIds: discount.ids,
      isDiscountFixed: discount.isFixed,
      inclusiveTax: carriedTax(prior, gross, discount.amount),
      source: { kind: 'declaration', declaration },
      rules: [price.interval === 'week' || price.interval === 'day' ? 'R2' : 'R1', 'R20'],
      zeroWhenGrossIsZero: 'lasting',
      zeroWhenDiscounted: lastingOfAll(discount.ids, pricing),
    },
    pricing.policy,
  )
}

function carriedTax(prior: ItemTerms | undefined, gross: Rational, discount: Rational): Rational {
  if (!prior || !isPositive(prior.inclusiveTax)) return zero
  const rate = inclusiveRate(minus(prior.gross, prior.discount), prior.inclusiveTax)
  return taxInside(notBelowZero(minus(gross, discount)), rate)
}
