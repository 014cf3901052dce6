import { dayOfDate } from '../instant.ts'
import { isPossibleRate } from './parse-rates.ts'
import type { DayRates } from './rate.ts'

/** A rate that people keep in the CRM: what one unit of `from` is worth in `to` since an instant, in milliseconds. */
export type CrmExchangeRate = { from: string; to: string; rate: string; effectiveAt: number }

/**
 * The CRM's rates by the day (UTC) since which they hold. Only those to the account's own currency count; of two on a day,
 * the later. What is to come, or can be no rate, is passed over.
 */
export function dayRatesOfCrm(
  stated: readonly CrmExchangeRate[],
  companyCurrency: string,
  today: string,
): DayRates[] {
  const byDay = new Map<string, Record<string, string>>()
  for (const { from, to, rate, effectiveAt } of stated.toSorted((a, b) => a.effectiveAt - b.effectiveAt)) {
    const day = dayOfDate(new Date(effectiveAt))
    if (to !== companyCurrency || from === to || day > today || !isPossibleRate(rate)) continue
    byDay.set(day, { ...byDay.get(day), [from]: rate })
  }
  return [...byDay].map(([day, rates]) => ({ day, source: 'crm', base: companyCurrency, rates }))
}

/**
 * What holds on a day, of rows with one base, the newest first: each currency keeps its rate until the next. Its own day
 * is that of the older rate.
 */
export function crmRowOn(
  rows: readonly DayRates[],
  currencies: readonly [string, string],
  day: string,
): DayRates | undefined {
  const base = rows[0]?.base
  if (base === undefined) return undefined
  const foreign = currencies.filter((currency) => currency !== base)
  const known = foreign.map((currency) =>
    rows.find((row) => row.day <= day && row.rates[currency] !== undefined),
  )
  const days = known.flatMap((row) => row?.day ?? [])
  const oldest = days.toSorted()[0]
  if (oldest === undefined || days.length < foreign.length) return undefined
  const rates = foreign.map((currency, index) => [currency, known[index]?.rates[currency] ?? ''] as const)
  return { day: oldest, source: 'crm', base, rates: Object.fromEntries(rates) }
}
