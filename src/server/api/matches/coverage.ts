import type { CurrencyCoverage, MrrCoverage } from '#domain/company-coverage.ts'
import { dayOfDate } from '#domain/instant.ts'
import { readCoverage } from '../../store/lists/match-list.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReporting } from '../../store/reporting/reporting.ts'
import { loadValues } from '../../store/reporting/values.ts'

/** How much MRR has a company, and by currency what has no rate; at the rates of the day where levels are revalued. */
export async function coverageAtRates(
  tenant: Tenant,
  now: Date,
): Promise<MrrCoverage & { others: CurrencyCoverage[] }> {
  const { own, ...booked } = await readCoverage(tenant)
  const today = dayOfDate(now)
  const worthOf = await loadValues(tenant, await getReporting(tenant), own, [today])
  if (worthOf === null) return booked
  const sumOf = (pick: (row: CurrencyCoverage) => number) =>
    own.reduce((sum, row) => sum + (worthOf(pick(row), row.currency, today) ?? 0), 0)
  return {
    mrrCents: sumOf(({ mrrCents }) => mrrCents),
    attachedCents: sumOf(({ attachedCents }) => attachedCents),
    others: own.filter(
      ({ mrrCents, currency }) => mrrCents > 0 && worthOf(mrrCents, currency, today) === null,
    ),
  }
}
