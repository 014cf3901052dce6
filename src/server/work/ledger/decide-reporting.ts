import type { Instant } from '#domain/instant.ts'
import { currencyOfMost } from '#domain/reporting/default-currency.ts'
import { listCurrentMrr } from '../../store/ledger/dashboard.ts'
import { markAllRebuildDue } from '../../store/payments/customers.ts'
import { getReporting, setReporting } from '../../store/reporting/reporting.ts'
import { type RunContext, write } from '../runs/run-context.ts'
import { rebuildEvents } from './rebuild-events.ts'

/**
 * At the end of the first import that brings MRR, decides in which currency the organization's totals are: that of most
 * of its MRR. It is kept then. If another one was in use so far, rebuilds every customer.
 */
export async function decideReporting(context: RunContext, knownAt: Instant): Promise<void> {
  const isOther = await write(context, async (tenant) => {
    const { currency, isDecided } = await getReporting(tenant)
    const chosen = isDecided ? null : currencyOfMost(await listCurrentMrr(tenant))
    if (chosen === null) return false
    await setReporting(tenant, { currency: chosen })
    if (chosen !== currency) await markAllRebuildDue(tenant)
    return chosen !== currency
  })
  if (isOther) await rebuildEvents(context, knownAt)
}
