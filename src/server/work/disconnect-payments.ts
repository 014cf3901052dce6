import type { Deps } from '../deps.ts'
import { deleteConnection } from '../store/connections.ts'
import { inOrganization } from '../store/database.ts'
import { cancelRuns } from '../store/runs.ts'
import { updateSettings } from '../store/settings.ts'

/**
 * Forgets the key, stops what is running and sends the setup back to the step that connects. What was imported stays
 * until another account is connected: the next import then starts over.
 */
export async function disconnectPayments(deps: Deps, organizationId: number): Promise<void> {
  await inOrganization(deps.database, organizationId, async (tenant) => {
    const wasConnected = await deleteConnection(tenant, 'payments')
    if (!wasConnected) return
    await cancelRuns(tenant, deps.now(), 'Stopped because Stripe was disconnected.')
    await updateSettings(tenant, {
      currentStep: 'stripe',
      setupComplete: false,
      dataImported: false,
      dataSynced: false,
    })
  })
}
