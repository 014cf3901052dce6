import type { SubscriptionItem } from '../../payments.ts'
import { taxInside } from '../exact/percent-behind-cents.ts'
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
} from '../exact/rational.ts'
import { billedUnits, isKnownKind } from '../prices/price-amount.ts'
import { priceIn } from '../prices/price-currency.ts'
import { centsAsBilled, type Sale, taxAsBilled } from './discounts/cents-as-billed.ts'
import { carriedDiscount } from './discounts/charge-discount.ts'
import { totalOff } from './discounts/discount-stack.ts'
import { discountsAddedTo } from './discounts/discounts-added.ts'
import { discountsInForce } from './discounts/discounts-in-force.ts'
import { lastingOfAll } from './discounts/is-lasting.ts'
import { rateOfTerms } from './inclusive-rates.ts'
import {
  completeTerms,
  type Declaration,
  type ItemTerms,
  type Pricing,
  UnsupportedSubscription,
} from './item-terms.ts'
import { statedAmount } from './stated-amount.ts'

/**
 * Terms from an item's current price, quantity and coupons, before an invoice shows them. Inside a billed period that
 * bill's discount continues, and later ones reduce the rest (R4, R6). `taxedAs`: a bill that shows the included tax rate.
 */
export function termsOfDeclaration(
  declaration: Declaration,
  billed: ItemTerms | undefined,
  pricing: Pricing,
  taxedAs: ItemTerms | undefined,
): ItemTerms {
  const { item, at } = declaration
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
    declaration.isInsideBilledPeriod && billed && isPositive(billed.gross)
      ? carriedDiscount(billed, price.productId, gross, pricing)
      : undefined
  const worked = carried
    ? discountsAddedTo(carried, declaration, gross, pricing)
    : discountsInForce(place, gross, pricing)
  const sale = { itemKey: item.id, priceId: item.priceId, quantity }
  const discounts = centsAsBilled(worked, sale, gross, pricing)
  return completeTerms(
    {
      itemKey: item.id,
      productId: price.productId,
      priceId: item.priceId,
      cadence: { interval: price.interval ?? '', count: price.intervalCount },
      quantity,
      unitKey: unit ? textOf(unit) : item.priceId,
      gross,
      discounts,
      inclusiveTax: carriedTax(taxedAs, sale, notBelowZero(minus(gross, totalOff(discounts))), pricing),
      source: { kind: 'declaration', declaration },
      zeroWhenGrossIsZero: 'lasting',
      zeroWhenDiscounted: lastingOfAll(discounts, gross, pricing),
    },
    pricing.policy,
  )
}

/** What a unit costs: by the price or, if the price has no amount in this currency, by its last bill (R34). */
function unitOf(
  item: SubscriptionItem,
  billed: ItemTerms | undefined,
  { subscription, prices, gonePrices }: Pricing,
): Rational | undefined {
  if (item.price.billingScheme === 'tiered') return undefined
  for (const price of [prices.get(item.priceId), item.price]) {
    const unit = rationalOfDecimal(priceIn(price, subscription.currency)?.unitAmountDecimal ?? '')
    if (unit) return unit
  }
  const charge = billed?.source.kind === 'charge' ? billed.source.charge : undefined
  return charge && charge.priceId === item.priceId ? gonePrices.get(item.priceId)?.unit : undefined
}

function carriedTax(
  prior: ItemTerms | undefined,
  sale: Sale,
  net: Rational,
  { inclusiveRates, wholeBills }: Pricing,
): Rational {
  if (!prior || !isPositive(prior.inclusiveTax)) return zero
  const tax = taxInside(net, rateOfTerms(prior, inclusiveRates()))
  return taxAsBilled(tax, sale, net, wholeBills())
}
