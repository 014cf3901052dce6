import type { Charge } from '../bills/bill.ts'
import { taxInside } from '../exact/percent-behind-cents.ts'
import {
  compare,
  distance,
  isPositive,
  minus,
  notBelowZero,
  one,
  type Rational,
  whole,
  zero,
} from '../exact/rational.ts'
import { cadenceOfCharge, salePriceOf, shareOfPeriod } from './charge-amount.ts'
import { taxAsBilled } from './discounts/cents-as-billed.ts'
import { discountOfCharge } from './discounts/charge-discount.ts'
import { totalOff } from './discounts/discount-stack.ts'
import { lastingOfAll } from './discounts/is-lasting.ts'
import { rateOfCharge, rateOfTerms } from './inclusive-rates.ts'
import { completeTerms, type ItemTerms, type Pricing } from './item-terms.ts'

/** The terms of an item from the start of a charge, as the charge shows them. `prior`: the item's previous terms. */
export function termsOfCharge(charge: Charge, prior: ItemTerms | undefined, pricing: Pricing): ItemTerms {
  const cadence = cadenceOfCharge(charge, prior, pricing)
  const { gross: full, unitKey, isFree } = salePriceOf(charge, cadence, prior, pricing)
  const isDiscountedAway = isFree && charge.isProration && prior !== undefined && isAllDiscount(prior)
  const gross = isFree && !isDiscountedAway ? zero : full
  const share = shareOfPeriod(charge, cadence, prior, pricing)
  const discounts = isDiscountedAway
    ? prior.discounts.map((part, index) => ({ ...part, off: index === 0 ? gross : zero }))
    : discountOfCharge(charge, gross, share, prior, pricing)
  return completeTerms(
    {
      itemKey: charge.itemKey,
      productId: charge.productId,
      priceId: charge.priceId,
      cadence,
      quantity: charge.quantity,
      unitKey,
      gross,
      discounts,
      inclusiveTax: inclusiveTaxOf(charge, gross, totalOff(discounts), prior, pricing),
      source: { kind: 'charge', charge },
      zeroWhenGrossIsZero: isFree ? 'temporary' : 'lasting',
      zeroWhenDiscounted: lastingOfAll(
        isDiscountedAway ? prior.discounts : discounts,
        isDiscountedAway ? prior.gross : gross,
        pricing,
      ),
    },
    pricing.policy,
  )
}

function isAllDiscount(terms: ItemTerms): boolean {
  return isPositive(terms.gross) && compare(terms.discount, terms.gross) >= 0
}

/** Tax included in the amount of a whole period (R9): the line's own, scaled up when the line covers a part of one. */
function inclusiveTaxOf(
  charge: Charge,
  gross: Rational,
  discount: Rational,
  prior: ItemTerms | undefined,
  { inclusiveRates, wholeBills }: Pricing,
): Rational {
  if (charge.inclusiveTaxCents <= 0) return zero
  const tax = whole(charge.inclusiveTaxCents)
  const taxed = whole(charge.amountCents - charge.discountCents)
  const net = notBelowZero(minus(gross, discount))
  if (compare(distance(net, taxed), one) < 0) return tax
  const isTaxedBefore = prior !== undefined && isPositive(prior.inclusiveTax)
  const known = isTaxedBefore ? [rateOfTerms(prior)] : []
  const rate = rateOfCharge(charge, [...known, ...inclusiveRates()])
  return taxAsBilled(taxInside(net, rate), charge, net, wholeBills())
}
