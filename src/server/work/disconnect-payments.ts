import type { Deps } from '../deps.ts'
import { deleteConnection, findConnection } from '../store/connections.ts'
import { inOrganization } from '../store/database.ts'
import { deleteChanges } from '../store/payment-changes.ts'
import { cancelRuns } from '../store/runs.ts'
import { setupReset, updateSettings } from '../store/settings.ts'
import { forgetWebhook } from './payment-webhook.ts'

/**
 * Forgets the key and the secret of the webhooks, stops what is running and resets the setup. What was imported stays
 * until another account is connected: the next import then starts over.
 */
export async function disconnectPayments(deps: Deps, organizationId: number): Promise<void> {
  await inOrganization(deps.database, organizationId, async (tenant) => {
    if (!(await findConnection(tenant, 'payments'))) return
    // The run first: its own writes come to the connection after it.
    await cancelRuns(tenant, deps.now(), 'Stopped because Stripe was disconnected.')
    await deleteConnection(tenant, 'payments')
    await forgetWebhook(tenant)
    await deleteChanges(tenant)
    await updateSettings(tenant, setupReset)
  })
}
