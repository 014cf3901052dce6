import type { PaymentPrice } from '../../payments.ts'
import { type Rational, rationalOfDecimal } from '../exact/rational.ts'

/** The price as it is sold in a currency: its own, or one of its other amounts (R34). Undefined when it has none in it. */
export function priceIn(price: PaymentPrice | undefined, currency: string): PaymentPrice | undefined {
  if (!price || price.currency === currency) return price
  const { currencyOptions } = price
  const amounts = currencyOptions && Object.hasOwn(currencyOptions, currency) && currencyOptions[currency]
  return amounts ? { ...price, ...amounts, currency } : undefined
}

/** What a unit costs by its price in a currency; undefined where the price is gone or tiers decide. */
export function unitOfPrice(price: PaymentPrice | undefined, currency: string): Rational | undefined {
  const own = priceIn(price, currency)
  if (own?.billingScheme !== 'per_unit' || own.unitAmountDecimal === null) return undefined
  return rationalOfDecimal(own.unitAmountDecimal)
}
