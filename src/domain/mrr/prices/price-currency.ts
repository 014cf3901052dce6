import type { PaymentPrice } from '../../payments.ts'
import { type Rational, rationalOfDecimal } from '../exact/rational.ts'
import { amountAtQuantity } from './price-amount.ts'

/** The price in the given currency: its own, or one of its other amounts (R34). Undefined when it has none. */
export function priceIn(price: PaymentPrice | undefined, currency: string): PaymentPrice | undefined {
  if (!price || price.currency === currency) return price
  const { currencyOptions } = price
  const amounts = currencyOptions && Object.hasOwn(currencyOptions, currency) && currencyOptions[currency]
  return amounts ? { ...price, ...amounts, currency } : undefined
}

/** What the price asks for a whole period in a currency; undefined when it does not determine it. */
export function amountOfPrice(
  price: PaymentPrice | undefined,
  currency: string,
  quantity: number,
): Rational | undefined {
  const own = priceIn(price, currency)
  return own && amountAtQuantity(own, quantity)
}

/** What the price charges for a unit in a currency; undefined when the price was deleted or tiers decide. */
export function unitOfPrice(price: PaymentPrice | undefined, currency: string): Rational | undefined {
  const own = priceIn(price, currency)
  if (own?.billingScheme !== 'per_unit' || own.unitAmountDecimal === null) return undefined
  return rationalOfDecimal(own.unitAmountDecimal)
}
