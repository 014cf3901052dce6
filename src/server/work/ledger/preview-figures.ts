import type { Instant } from '#domain/instant.ts'
import { listCustomersWithoutFigures, listKeptCustomers } from '../../store/ledger/due-customers.ts'
import { saveSubscriptionFigures } from '../../store/ledger/subscription-figures.ts'
import { loadCustomerObjects } from '../../store/payments/customer-objects.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { getMrrPolicy } from '../../store/recount/mrr-policy.ts'
import { holdReporting } from '../../store/reporting/reporting.ts'
import { type RunContext, write } from '../runs/run-context.ts'
import { rebuildThese } from './rebuild-events.ts'

/** Without invoices, this number of customers fits in memory. */
const previewMax = 250

/**
 * Gives each subscription without figures those that it states itself, while invoices are still being read. A
 * first import shows current MRR long before its history is complete. The ledger does not change.
 */
export async function previewFigures(context: RunContext, asOf: Instant): Promise<void> {
  const { deps, claim } = context
  for (let after: string | undefined = ''; after !== undefined; ) {
    const query = { after, limit: previewMax }
    const batch = await inOrganization(deps.database, claim.organizationId, async (tenant) => {
      const ids = await listCustomersWithoutFigures(tenant, query)
      const policy = await getMrrPolicy(tenant)
      // Skip the many subscriptions whose customers have not arrived yet.
      const kept = await listKeptCustomers(tenant, ids)
      const customers = await loadCustomerObjects(tenant, kept, { invoicesMax: null })
      const counting = { policy, reporting: await holdReporting(tenant), now: deps.now() }
      return { ids, rebuilt: await rebuildThese(tenant, customers, counting, () => asOf) }
    })
    const figures = batch.rebuilt.flatMap((customer) => customer.figures)
    // A customer that was rebuilt meanwhile keeps the rebuild's figures.
    const save = (tenant: Tenant) =>
      saveSubscriptionFigures(tenant, figures, { at: deps.now(), runId: claim.runId, mode: 'first' })
    // There are no figures if the customers themselves have not arrived.
    if (figures.length > 0) await write(context, save)
    context.signal.throwIfAborted()
    after = batch.ids.at(-1)
  }
}
