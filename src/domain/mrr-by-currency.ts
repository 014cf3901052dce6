/** The one currency of the totals; others are shown beside it. */
const totalCurrency = 'usd'

/** Current MRR of one currency, in its minor units. */
export type CurrencyMrr = { currency: string; mrrCents: number; activeSubscriptions: number }

/** The USD figures, and those of the other currencies. They are never added up: no exchange rate is known. */
export function splitByCurrency<Row extends CurrencyMrr>(
  rows: readonly Row[],
): { total: CurrencyMrr; others: Row[] } {
  const total = rows.find(({ currency }) => currency === totalCurrency)
  return {
    total: total ?? { currency: totalCurrency, mrrCents: 0, activeSubscriptions: 0 },
    others: rows.filter(({ currency }) => currency !== totalCurrency),
  }
}

/** The total at the start of each month before today, then today's. Dates are ISO days, months 'YYYY-MM'. */
export function mrrTrend(
  months: readonly (CurrencyMrr & { month: string })[],
  today: string,
  currentCents: number,
): { date: string; mrrCents: number }[] {
  const past = months
    .filter(({ currency }) => currency === totalCurrency)
    .map(({ month, mrrCents }) => ({ date: `${month}-01`, mrrCents }))
    .filter(({ date }) => date < today)
  return [...past, { date: today, mrrCents: currentCents }]
}
