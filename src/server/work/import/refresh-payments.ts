import type { Deps } from '../../deps.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { findPaymentAccount } from '../../store/payments/payment-account.ts'
import { hasPendingChanges } from '../../store/payments/payment-changes.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { findNewestRun, findRunInProgress } from '../../store/runs/runs.ts'
import { getSettings } from '../../store/setup/settings.ts'
import { readDetails } from '../connections/payments-connection.ts'
import { type StartDeps, startImport } from './start-import.ts'

/** Hints are gathered for this long after an import, so that a storm of webhooks brings one import a minute. */
const gatherMs = 60_000

/**
 * Looks by the clock what changed at the provider, where the organization wants scheduled work: two requests when
 * nothing did.
 */
export async function lookForChanges(deps: Deps, organizationId: number): Promise<void> {
  const since = await inOrganization(deps.database, organizationId, async (tenant) => {
    const { autoSyncEnabled, setupComplete } = await getSettings(tenant)
    return autoSyncEnabled && setupComplete ? findReadySince(tenant) : undefined
  })
  if (since) await startHint(deps, organizationId, since)
}

/** Fetches what webhooks told of, unless an import did so within the last minute: then the next sweep does. */
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
 * How far the ledger is, where an import of what changed can go on from there by itself: the history is complete, the key
 * works and may read changes, the import before ended well, and nothing is running.
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
