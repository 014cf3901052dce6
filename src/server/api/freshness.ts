import { promisedSeconds } from '#domain/freshness.ts'
import { findConnection } from '../store/connections/connections.ts'
import { findPaymentWebhook } from '../store/connections/payment-webhooks.ts'
import type { Tenant } from '../store/postgres/database.ts'
import type { Arrival } from '../store/runs/freshness.ts'
import { getSettings } from '../store/setup/settings.ts'

/** What is promised to an organization: where its changes arrive by themselves, and within how many seconds. */
export async function readPromise(tenant: Tenant): Promise<{ to: Arrival; seconds: number }> {
  const { autoSyncEnabled } = await getSettings(tenant)
  const isPushed = autoSyncEnabled && (await findConnection(tenant, 'crm')) !== undefined
  const hasWebhook = (await findPaymentWebhook(tenant)) !== undefined
  return { to: isPushed ? 'crm' : 'ledger', seconds: promisedSeconds({ hasWebhook }) }
}
