import type { Day } from '#domain/date-range.ts'
import { type WorthOf, worthIn } from '#domain/reporting/revalued.ts'
import type { Tenant } from '../postgres/database.ts'
import { loadRates } from './rates.ts'
import type { Reporting } from './reporting.ts'

/**
 * How levels in these currencies are valued on some days. Null where nothing is revalued: amounts count as booked, or
 * all are in the reporting currency.
 */
export async function loadValues(
  tenant: Tenant,
  { currency: to, method, source }: Reporting,
  rows: readonly { currency: string }[],
  days: readonly Day[],
): Promise<WorthOf | null> {
  const currencies = [...new Set(rows.map(({ currency }) => currency))].filter((currency) => currency !== to)
  if (method !== 'revalued' || to === null || currencies.length === 0) return null
  const wanted = [...new Set(days)].flatMap((day) => currencies.map((currency) => ({ currency, day })))
  return worthIn(to, await loadRates(tenant, { source, to, wanted }))
}
