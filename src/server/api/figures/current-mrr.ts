import { dayOfDate } from '#domain/instant.ts'
import type { ReportedMrr } from '#domain/mrr-by-currency.ts'
import { revalueMrr } from '#domain/reporting/revalued.ts'
import { listCurrentMrr } from '../../store/ledger/dashboard.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { currencyOfNothing, getReporting } from '../../store/reporting/reporting.ts'
import { loadValues } from '../../store/reporting/values.ts'

/** Current MRR by currency, in it and in the currency of totals, at the rates that the organization chose. */
export async function readCurrentMrr(
  tenant: Tenant,
  now: Date,
): Promise<{ reportingCurrency: string; rows: ReportedMrr[] }> {
  const today = dayOfDate(now)
  const reporting = await getReporting(tenant)
  const rows = await listCurrentMrr(tenant)
  const worthOf = await loadValues(tenant, reporting, rows, [today])
  return {
    reportingCurrency: reporting.currency ?? currencyOfNothing,
    rows: worthOf === null ? rows : revalueMrr(rows, today, worthOf),
  }
}
