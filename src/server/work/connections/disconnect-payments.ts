import type { Deps } from '../../deps.ts'
import { deleteConnection, findConnection } from '../../store/connections/connections.ts'
import { deleteChanges } from '../../store/payments/payment-changes.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { cancelRuns } from '../../store/runs/runs.ts'
import { setupReset, updateSettings } from '../../store/setup/settings.ts'
import { tellOwners } from '../mail/tell-owners.ts'
import { forgetWebhook } from './payment-webhook.ts'
import { accountInWords } from './payments-connection.ts'

/**
 * Forgets the key and the webhook secret, stops runs, resets the setup and notifies owners. Imported data stays until
 * another account is connected, whose first import starts from nothing.
 */
export async function disconnectPayments(
  deps: Deps,
  organizationId: number,
  byUserId: number | null = null,
): Promise<void> {
  const { name } = deps.payments
  await inOrganization(deps.database, organizationId, async (tenant) => {
    const connection = await findConnection(tenant, 'payments')
    if (!connection) return
    // Cancel the run first, because its own transactions lock the run before the connection.
    await cancelRuns(tenant, deps.now(), `Stopped because ${name} was disconnected.`)
    await deleteConnection(tenant, 'payments')
    await forgetWebhook(tenant)
    await deleteChanges(tenant)
    await updateSettings(tenant, setupReset)
    const deed = `disconnected ${accountInWords(name, connection.account_id, connection.is_live)}`
    await tellOwners(deps, tenant, byUserId, { subject: `${name} was disconnected`, deed })
  })
}
