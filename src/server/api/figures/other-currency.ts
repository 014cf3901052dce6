import type { CurrencyMrr } from '#domain/mrr-by-currency.ts'

/** The figures of a currency beside the total, in their wire form. */
export function toOtherCurrency({ currency, mrrCents, activeSubscriptions }: CurrencyMrr) {
  return { currency, mrr: mrrCents, activeSubscriptions }
}
