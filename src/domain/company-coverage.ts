/** Current MRR of one currency, in its minor units, and how much of it belongs to customers with a company. */
export type CurrencyCoverage = { currency: string; mrrCents: number; attachedCents: number }

export type Coverage = {
  /** Whole percent of the MRR in dollars; null when there is none. */
  percent: number | null
  mrrCents: number
  attachedCents: number
  /** Other currencies; they are never added to the dollars. */
  others: CurrencyCoverage[]
}

const totalCurrency = 'usd'

/**
 * How much MRR is attached to a company. The percentage is cut, not rounded: 100 means all of it, and 0 means nothing.
 */
export function coverageOf(rows: readonly CurrencyCoverage[]): Coverage {
  const dollars = rows.find(({ currency }) => currency === totalCurrency)
  const { mrrCents, attachedCents } = dollars ?? { mrrCents: 0, attachedCents: 0 }
  const others = rows.filter(({ currency }) => currency !== totalCurrency)
  return { percent: percentOf(attachedCents, mrrCents), mrrCents, attachedCents, others }
}

function percentOf(part: number, whole: number): number | null {
  if (whole <= 0) return null
  const percent = Math.floor((part / whole) * 100)
  return part > 0 ? Math.max(1, percent) : 0
}
