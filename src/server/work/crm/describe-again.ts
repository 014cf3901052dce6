import type { Deps } from '../../deps.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { findConnection, noteConnectionDetails } from '../../store/connections/connections.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import type { CrmSession } from './with-crm.ts'

/**
 * Reads what may have changed about the account since it was connected: after a move to another data center, links to its
 * records begin with another host. A refusal changes nothing.
 */
export async function describeAgain(
  deps: Deps,
  organizationId: number,
  { access }: Pick<CrmSession, 'access'>,
): Promise<void> {
  try {
    const account = await deps.crm.getAccount(access)
    await inOrganization(deps.database, organizationId, async (tenant) => {
      const connection = await findConnection(tenant, 'crm')
      if (connection?.account_id === access.portalId) await noteConnectionDetails(tenant, connection, account)
    })
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind === 'unauthorized') throw error
  }
}
