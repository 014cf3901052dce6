import type { Deps } from '../../deps.ts'
import { deleteConnection, findConnection } from '../../store/connections/connections.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { cancelRuns } from '../../store/runs/runs.ts'
import { setupReset, updateSettings } from '../../store/setup/settings.ts'
import { openTokensQuietly } from '../crm/sealed-tokens.ts'
import { oneLine, tellOwners } from '../mail/tell-owners.ts'

/**
 * In one transaction forgets the tokens, stops runs, resets the setup and notifies owners; then revokes the tokens at
 * the CRM. Pushed data stays there, because it belongs to the customer. Does nothing without a connection.
 */
export async function disconnectCrm(
  deps: Deps,
  organizationId: number,
  byUserId: number | null = null,
): Promise<void> {
  const tokens = await inOrganization(deps.database, organizationId, async (tenant) => {
    const connection = await findConnection(tenant, 'crm')
    if (!connection) return undefined
    // Cancel the run first, because its own transactions lock the run before the connection.
    await cancelRuns(tenant, deps.now(), `Stopped, because ${deps.crm.name} was disconnected.`)
    await deleteConnection(tenant, 'crm')
    await updateSettings(tenant, setupReset)
    const { name } = deps.crm
    const deed = `disconnected ${name} account ${oneLine(connection.account_id ?? 'unknown')}`
    await tellOwners(deps, tenant, byUserId, { subject: `${name} was disconnected`, deed })
    return openTokensQuietly(deps, organizationId, connection)
  })
  // A service key can only be deleted in the CRM itself.
  if (!tokens?.refreshToken) return
  try {
    await deps.crm.revokeTokens(tokens.refreshToken)
  } catch (error) {
    deps.log.warn({ error }, 'the tokens are forgotten here, but could not be revoked at the CRM')
  }
}
