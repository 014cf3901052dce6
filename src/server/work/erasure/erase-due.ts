import type { Deps } from '../../deps.ts'
import { listDeletedDue } from '../../store/erasure/erasures.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { findRunInProgress } from '../../store/runs/runs.ts'
import { eraseCustomer } from './erase-customer.ts'

/** So many at a time; the rest has its turn within the hour. */
const batchMax = 500

/**
 * Erases whoever was deleted at the payment provider, where the organization wants it. While something runs nobody is
 * erased: an hour later is soon enough.
 */
export async function eraseDue(deps: Deps, organizationId: number): Promise<void> {
  const due = await inOrganization(deps.database, organizationId, async (tenant) =>
    (await findRunInProgress(tenant)) ? [] : listDeletedDue(tenant, batchMax),
  )
  for (const customerId of due) {
    await eraseCustomer(deps, organizationId, { customerId, reason: 'deleted', actor: null })
  }
}
