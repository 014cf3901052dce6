import type { Deps } from '../../deps.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { findPaymentAccount } from '../../store/payments/payment-account.ts'
import { hasPendingChanges } from '../../store/payments/payment-changes.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { findNewestRun, findRunInProgress } from '../../store/runs/runs.ts'
import { getSettings } from '../../store/setup/settings.ts'
import { readDetails } from '../connections/payments-connection.ts'
import { type StartDeps, startImport } from './start-import.ts'

/** Hints wait this long after an import, so that many webhooks cause one import per minute. */
const gatherMs = 60_000

/**
 * Looks on a schedule for changes at the provider, if the organization wants scheduled work. It costs two
 * requests if nothing changed.
 */
export async function lookForChanges(deps: Deps, organizationId: number): Promise<void> {
  const since = await inOrganization(deps.database, organizationId, async (tenant) => {
    const { autoSyncEnabled, setupComplete } = await getSettings(tenant)
    return autoSyncEnabled && setupComplete ? findReadySince(tenant) : undefined
  })
  if (since) await startHint(deps, organizationId, since)
}

/** Imports what webhooks announced. If an import did so within the last minute, the next sweep does it. */
export async function followHints(deps: StartDeps, organizationId: number): Promise<void> {
  const since = await inOrganization(deps.database, organizationId, async (tenant) => {
    if (!(await hasPendingChanges(tenant))) return undefined
    const ended = (await findNewestRun(tenant, 'import'))?.completed_at
    const isGathering = ended && deps.now().getTime() - ended.getTime() < gatherMs
    return isGathering ? undefined : findReadySince(tenant)
  })
  if (since) await startHint(deps, organizationId, since)
}

/**
 * Up to when the ledger is complete, if an import of changes can continue from there: the history is
 * complete, the key may read changes, the last import succeeded, and no run is in progress.
 */
async function findReadySince(tenant: Tenant): Promise<Date | undefined> {
  const connection = await findConnection(tenant, 'payments')
  if (!connection || connection.warning !== null) return undefined
  if (!readDetails(connection.details).mayReadChanges) return undefined
  if (await findRunInProgress(tenant)) return undefined
  if ((await findNewestRun(tenant, 'import'))?.status === 'failed') return undefined
  return (await findPaymentAccount(tenant))?.refreshed_at ?? undefined
}

async function startHint(deps: StartDeps, organizationId: number, since: Date): Promise<void> {
  const request = { mode: 'window' as const, from: since, until: deps.now() }
  await startImport(deps, organizationId, request, { isScheduled: true, isHint: true })
}
