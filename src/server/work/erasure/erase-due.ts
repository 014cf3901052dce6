import type { Deps } from '../../deps.ts'
import { inOrganization } from '../../store/database.ts'
import { listErasuresDue } from '../../store/erasure/erasures.ts'
import { findRunInProgress } from '../../store/runs.ts'
import { eraseCustomer } from './erase-customer.ts'

/** So many at a time; the rest has its turn within the hour. */
const batchMax = 500

/**
 * Erases whom the payment provider has redacted, and where the organization wants it whoever was deleted there. While
 * something runs nobody is erased: an hour later is soon enough.
 */
export async function eraseDue(deps: Deps, organizationId: number): Promise<void> {
  const due = await inOrganization(deps.database, organizationId, async (tenant) =>
    (await findRunInProgress(tenant)) ? [] : listErasuresDue(tenant, batchMax),
  )
  for (const { customerId, reason } of due) {
    await eraseCustomer(deps, organizationId, { customerId, reason, actor: null })
  }
}
