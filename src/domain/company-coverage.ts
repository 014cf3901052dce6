/** Current MRR, in minor units of one currency, and how much of it belongs to customers with a company. */
export type MrrCoverage = { mrrCents: number; attachedCents: number }

export type CurrencyCoverage = MrrCoverage & { currency: string }

/**
 * How much of the MRR is attached to a company, in whole percent; null when there is none. The percentage is cut, not
 * rounded: 100 means all of it, and 0 means nothing.
 */
export function percentAttached({ mrrCents: whole, attachedCents: part }: MrrCoverage): number | null {
  if (whole <= 0) return null
  const percent = Math.floor((part / whole) * 100)
  return part > 0 ? Math.max(1, percent) : 0
}
