import type { SubscriptionItem } from '../../payments.ts'
import { type Rational, sumOf } from '../exact/rational.ts'
import { linesAtQuantity } from '../prices/price-amount.ts'
import { priceIn } from '../prices/price-currency.ts'
import type { Pricing } from './item-terms.ts'

/** A whole period of an item by its price. */
export function statedAmount(item: SubscriptionItem, pricing: Pricing): Rational | undefined {
  const lines = statedLines(item, pricing)
  return lines && sumOf(lines)
}

/**
 * The lines that an invoice of a whole period of an item would have; the price list is asked too, since embedded prices
 * come without tiers.
 */
export function statedLines(item: SubscriptionItem, pricing: Pricing): Rational[] | undefined {
  const { currency } = pricing.subscription
  for (const price of [pricing.prices.get(item.priceId), item.price]) {
    const own = priceIn(price, currency)
    const lines = own && linesAtQuantity(own, item.quantity ?? 1)
    if (lines) return lines
  }
  return undefined
}
