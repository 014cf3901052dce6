import type { Deps } from '../../deps.ts'
import { listDeletedDue } from '../../store/erasure/erasures.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { findRunInProgress } from '../../store/runs/runs.ts'
import { eraseCustomer } from './erase-customer.ts'

/** The number erased in one call; the rest follows within the hour. */
const batchMax = 500

/**
 * Erases customers that were deleted at the payment provider, if the organization wants that. It waits while a run is
 * active, because an hour later is soon enough.
 */
export async function eraseDue(deps: Deps, organizationId: number): Promise<void> {
  const due = await inOrganization(deps.database, organizationId, async (tenant) =>
    (await findRunInProgress(tenant)) ? [] : listDeletedDue(tenant, batchMax),
  )
  for (const customerId of due) {
    await eraseCustomer(deps, organizationId, { customerId, reason: 'deleted', actor: null })
  }
}
