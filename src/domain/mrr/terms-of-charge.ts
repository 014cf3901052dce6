import { cadenceOfCharge, grossOf, isBilledAsFree, prorationShare, unitKeyOf } from './charge-amount.ts'
import { discountOfCharge, lastingOfAll } from './charge-discount.ts'
import type { Charge } from './evidence.ts'
import type { Cadence } from './interval.ts'
import { completeTerms, type ItemTerms, type Pricing } from './item-terms.ts'
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
} from './rational.ts'
import type { TermDiscount } from './standing-discount.ts'
import { inclusiveRate, taxInside } from './written-share.ts'

/** The terms that a charge shows its item to be sold at from the charge's start on. `prior` are the item's last ones. */
export function termsOfCharge(charge: Charge, prior: ItemTerms | undefined, pricing: Pricing): ItemTerms {
  const cadence = cadenceOfCharge(charge, prior, pricing)
  const isFree = isBilledAsFree(charge, cadence, prior)
  const isDiscountedAway = isFree && charge.isProration && prior !== undefined && isAllDiscount(prior)
  const gross = isFree && !isDiscountedAway ? zero : grossOf(charge, cadence, prior)
  const share = prorationShare(charge, cadence, prior)
  const discount: TermDiscount = isDiscountedAway
    ? { amount: gross, ids: prior.discountIds, isFixed: prior.isDiscountFixed }
    : discountOfCharge(charge, gross, share, prior, pricing)
  return completeTerms(
    {
      itemKey: charge.itemKey,
      productId: charge.productId,
      priceId: charge.priceId,
      cadence,
      quantity: charge.quantity,
      unitKey: unitKeyOf(charge),
      gross,
      discount: discount.amount,
      discountIds: discount.ids,
      isDiscountFixed: discount.isFixed,
      inclusiveTax: inclusiveTaxOf(charge, gross, discount.amount),
      source: { kind: 'charge', charge },
      rules: rulesOf(charge, cadence, isFree),
      zeroWhenGrossIsZero: isFree ? 'temporary' : 'lasting',
      zeroWhenDiscounted: lastingOfAll(discount.ids, pricing),
    },
    pricing.policy,
  )
}

function isAllDiscount(terms: ItemTerms): boolean {
  return isPositive(terms.gross) && compare(terms.discount, terms.gross) >= 0
}

/** Tax inside the amount of a whole period (R9): the line's own, or in proportion where the line is a part of one. */
function inclusiveTaxOf(charge: Charge, gross: Rational, discount: Rational): Rational {
  if (charge.inclusiveTaxCents <= 0) return zero
  const tax = whole(charge.inclusiveTaxCents)
  const taxed = whole(charge.amountCents - charge.discountCents)
  const net = notBelowZero(minus(gross, discount))
  if (compare(distance(net, taxed), one) < 0) return tax
  return taxInside(net, inclusiveRate(taxed, tax))
}

function rulesOf(charge: Charge, cadence: Cadence, isFree: boolean): string[] {
  const rules = [cadence.interval === 'week' || cadence.interval === 'day' ? 'R2' : 'R1']
  if (charge.isProration) rules.push('R12')
  if (isFree) rules.push('R16')
  if (charge.discountCents > 0) rules.push('R4')
  if (charge.inclusiveTaxCents > 0) rules.push('R9')
  if (charge.price?.billingScheme === 'tiered') rules.push('R24')
  if (charge.price?.transformQuantity) rules.push('R25')
  return rules
}
