import { convertCents } from '#domain/reporting/rate.ts'
import { listMonthlyMrr } from '../../store/ledger/dashboard.ts'
import { deriveSnapshots, revalueSnapshots } from '../../store/ledger/snapshots.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { loadRates } from '../../store/reporting/rates.ts'
import { getReporting } from '../../store/reporting/reporting.ts'

/**
 * Derives the snapshot of every 1st up to `until` from the ledger. If levels are revalued, each has the rate of its 1st.
 */
export async function deriveReportedSnapshots(tenant: Tenant, until: Date, at: Date): Promise<void> {
  await deriveSnapshots(tenant, until, at)
  const { currency: to, method, source } = await getReporting(tenant)
  if (method !== 'revalued' || to === null) return
  const foreign = (await listMonthlyMrr(tenant)).filter(({ currency }) => currency !== to)
  const wanted = foreign.map(({ currency, month }) => ({ currency, day: `${month}-01` }))
  const rateOf = await loadRates(tenant, { source, to, wanted })
  const revalued = foreign.map(({ currency, month, mrrCents }) => {
    const found = rateOf(currency, `${month}-01`)
    return { currency, month, cents: found && convertCents(mrrCents, currency, to, found.rate) }
  })
  await revalueSnapshots(tenant, revalued)
}
