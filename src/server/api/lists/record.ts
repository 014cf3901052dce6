import type { SubscriptionRecord } from '#contract/subscriptions.ts'
import type { Deps } from '../../deps.ts'
import { findConnections } from '../../store/connections/connections.ts'
import { areObjectsMissing } from '../../store/crm/crm-objects.ts'
import { findRecordStanding } from '../../store/crm/record-standing.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { findRunInProgress, type Run } from '../../store/runs/runs.ts'
import { isHint } from '../../work/runs/scheduled-run.ts'
import type { Links } from '../links.ts'

/** What stands in the CRM for a subscription, and whether it can be synced now; null without a connection. */
export async function readRecord(
  tenant: Tenant,
  { crm: { name } }: Pick<Deps, 'crm'>,
  links: Links,
  subscriptionId: string,
): Promise<SubscriptionRecord | null> {
  const { crm, payments } = await findConnections(tenant)
  if (crm === undefined || crm.account_id === null) return null
  const { recordId, objectTypeId, ...standing } = await findRecordStanding(
    tenant,
    crm.account_id,
    subscriptionId,
  )
  const running = await findRunInProgress(tenant)
  const cannotTake = await areObjectsMissing(tenant, crm.account_id)
  const blockedBy =
    payments === undefined
      ? 'Connect Stripe on Data Sync first.'
      : crm.earlier_account_id === null
        ? (crm.warning ??
          (cannotTake
            ? `${name} cannot take records yet. Look at the card ${name} on Data Sync.`
            : runText(running, name)))
        : `Say on Data Sync which ${name} account to use.`
  return {
    state: standing.state,
    syncedAt: standing.syncedAt?.toISOString() ?? null,
    problem: standing.error,
    hubspotLink: links.hubspotRecord(crm.account_id, objectTypeId, recordId),
    isSyncing: running?.kind === 'push',
    blockedBy,
  }
}

/** A run that only a hint started gives way to a person's. */
function runText(running: Run | undefined, crmName: string): string | null {
  if (running === undefined || isHint(running)) return null
  if (running.kind === 'push') return `A sync to ${crmName} is running.`
  return running.kind === 'import' ? 'An import is running.' : 'MRR is being recounted.'
}
