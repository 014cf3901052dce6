/** Current MRR of one currency, in its minor units. */
export type CurrencyMrr = { currency: string; mrrCents: number; activeSubscriptions: number }

/** What of a currency's MRR is in the total, in the reporting currency, and what has no rate and stays its own. */
export type ReportedMrr = CurrencyMrr & {
  reportingCents: number
  unconvertedCents: number
  unconvertedSubscriptions: number
}

/** The total in the reporting currency, and beside it each currency's MRR without a rate, which is never added. */
export function splitByCurrency(
  rows: readonly ReportedMrr[],
  reportingCurrency: string,
): { total: CurrencyMrr; others: CurrencyMrr[] } {
  const total = { currency: reportingCurrency, mrrCents: 0, activeSubscriptions: 0 }
  const others: CurrencyMrr[] = []
  for (const row of rows) {
    total.mrrCents += row.reportingCents
    total.activeSubscriptions += row.activeSubscriptions - row.unconvertedSubscriptions
    const { currency, unconvertedCents: mrrCents, unconvertedSubscriptions: activeSubscriptions } = row
    if (mrrCents !== 0 || activeSubscriptions !== 0) others.push({ currency, mrrCents, activeSubscriptions })
  }
  return { total, others }
}

/**
 * The total at the start of each month before today, then today's. Dates are ISO days, months 'YYYY-MM'. Leaves out
 * months in which nothing is in the reporting currency.
 */
export function mrrTrend(
  months: readonly (ReportedMrr & { month: string })[],
  reportingCurrency: string,
  today: string,
  currentCents: number,
): { date: string; mrrCents: number }[] {
  const reported = months.filter(
    ({ currency, reportingCents }) => currency === reportingCurrency || reportingCents !== 0,
  )
  const past = [...Map.groupBy(reported, ({ month }) => `${month}-01`)]
    .map(([date, rows]) => ({ date, mrrCents: rows.reduce((sum, row) => sum + row.reportingCents, 0) }))
    .filter(({ date }) => date < today)
  return [...past, { date: today, mrrCents: currentCents }]
}
