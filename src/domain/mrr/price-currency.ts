import type { PaymentPrice } from '../payments.ts'

/** The price as it is sold in a currency: its own, or one of its other amounts (R34). Undefined when it has none in it. */
export function priceIn(price: PaymentPrice | undefined, currency: string): PaymentPrice | undefined {
  if (!price || price.currency === currency) return price
  const { currencyOptions } = price
  const amounts = currencyOptions && Object.hasOwn(currencyOptions, currency) && currencyOptions[currency]
  return amounts ? { ...price, ...amounts, currency } : undefined
}
