import type { SubscriptionItem } from '../payments.ts'
import type { Pricing } from './item-terms.ts'
import { amountAtQuantity } from './price-amount.ts'
import { priceIn } from './price-currency.ts'
import type { Rational } from './rational.ts'

/** A whole period of an item by its price; the price list is asked too, since embedded prices come without tiers. */
export function statedAmount(item: SubscriptionItem, pricing: Pricing): Rational | undefined {
  const { currency } = pricing.subscription
  for (const price of [pricing.prices.get(item.priceId), item.price]) {
    const own = priceIn(price, currency)
    const amount = own && amountAtQuantity(own, item.quantity ?? 1)
    if (amount) return amount
  }
  return undefined
}
