import type { SubscriptionItem } from '../../payments.ts'
import { type Rational, sumOf } from '../exact/rational.ts'
import { linesAtQuantity } from '../prices/price-amount.ts'
import { priceIn } from '../prices/price-currency.ts'
import type { Pricing } from './item-terms.ts'

/** What a whole period of an item costs by its price. */
export function statedAmount(item: SubscriptionItem, pricing: Pricing): Rational | undefined {
  const lines = statedLines(item, pricing)
  return lines && sumOf(lines)
}

/**
 * The lines that an invoice for a whole period of an item would have. Also looks in the price list, because prices
 * embedded in items come without tiers.
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
