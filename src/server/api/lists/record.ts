import type { SubscriptionRecord } from '#contract/subscriptions.ts'
import type { Deps } from '../../deps.ts'
import { findConnections } from '../../store/connections/connections.ts'
import { areObjectsMissing } from '../../store/crm/crm-objects.ts'
import { findCurrentPortal } from '../../store/crm/current-portal.ts'
import { findRecordStanding } from '../../store/crm/record-standing.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { findRunInProgress, type Run } from '../../store/runs/runs.ts'
import { isHint } from '../../work/runs/scheduled-run.ts'
import type { Links } from '../links.ts'

/** What is known of a subscription in the CRM, and whether it can be synced now; null if none was ever connected. */
export async function readRecord(
  tenant: Tenant,
  deps: Pick<Deps, 'crm' | 'payments'>,
  links: Links,
  subscriptionId: string,
): Promise<SubscriptionRecord | null> {
  const connections = await findConnections(tenant)
  // After a disconnect, what was last known is of the account before.
  const portalId = connections.crm?.account_id ?? (await findCurrentPortal(tenant))
  if (portalId === null) return null
  const { recordId, objectTypeId, ...standing } = await findRecordStanding(tenant, portalId, subscriptionId)
  const running = await findRunInProgress(tenant)
  return {
    state: standing.state,
    syncedAt: standing.syncedAt?.toISOString() ?? null,
    problem: standing.error,
    hubspotLink: links.hubspotRecord(portalId, objectTypeId, recordId),
    isSyncing: running?.kind === 'push',
    blockedBy: (await hindranceText(tenant, deps, connections)) ?? runText(running, deps.crm.name),
  }
}

/** What a person has to put right first, as every screen names it; null for nothing. */
async function hindranceText(
  tenant: Tenant,
  { crm: { name }, payments: { name: paymentsName } }: Pick<Deps, 'crm' | 'payments'>,
  { crm, payments }: Awaited<ReturnType<typeof findConnections>>,
): Promise<string | null> {
  if (!crm?.account_id) return `${name} is not connected.`
  if (crm.earlier_account_id !== null) return `Another ${name} account is connected.`
  if (crm.warning !== null) return `${name} refuses the connection.`
  if (await areObjectsMissing(tenant, crm.account_id)) return `The custom objects in ${name} are missing.`
  return payments === undefined ? `${paymentsName} is not connected.` : null
}

/** A run that only a hint started gives way to a person's. */
function runText(running: Run | undefined, crmName: string): string | null {
  if (running === undefined || isHint(running)) return null
  if (running.kind === 'push') return `A sync to ${crmName} is running.`
  return running.kind === 'import' ? 'An import is running.' : 'MRR is being recounted.'
}
