import { addDays } from '#domain/date-range.ts'
import { listMonthlyMrr } from '../../store/ledger/dashboard.ts'
import { deriveSnapshots, revalueSnapshots } from '../../store/ledger/snapshots.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { getReporting } from '../../store/reporting/reporting.ts'
import { loadValues } from '../../store/reporting/values.ts'

/**
 * Derives the snapshot of every 1st up to `until` from the ledger. If levels are revalued, each has the rate of the day
 * before, with which the month before ended.
 */
export async function deriveReportedSnapshots(tenant: Tenant, until: Date, at: Date): Promise<void> {
  await deriveSnapshots(tenant, until, at)
  const reporting = await getReporting(tenant)
  const months = await listMonthlyMrr(tenant)
  const dayOf = (month: string) => addDays(`${month}-01`, -1)
  const days = months.map(({ month }) => dayOf(month))
  const worthOf = await loadValues(tenant, reporting, months, days)
  if (worthOf === null) return
  const foreign = months.filter(({ currency }) => currency !== reporting.currency)
  const revalued = foreign.map(({ currency, month, mrrCents }) => {
    return { currency, month, cents: worthOf(mrrCents, currency, dayOf(month)) }
  })
  await revalueSnapshots(tenant, revalued)
}
