import type { Deps } from '../../deps.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { findPaymentAccount } from '../../store/payments/payment-account.ts'
import { hasPendingChanges } from '../../store/payments/payment-changes.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { findNewestRun, findRunInProgress, type Run } from '../../store/runs/runs.ts'
import { getSettings } from '../../store/setup/settings.ts'
import { readDetails } from '../connections/payments-connection.ts'
import { isWaitingPush } from '../runs/give-way.ts'
import { readImportOptions } from './import-options.ts'
import { type StartDeps, startImport } from './start-import.ts'

const gatherMinMs = 1_000
const gatherMaxMs = 10_000

/**
 * Looks on a schedule for changes at the provider, if the organization wants scheduled work and no import began
 * since its turn did. It costs two requests if nothing changed.
 */
export async function lookForChanges(deps: Deps, organizationId: number, turnAt: Date): Promise<void> {
  const since = await inOrganization(deps.database, organizationId, async (tenant) => {
    const { autoSyncEnabled, setupComplete } = await getSettings(tenant)
    if (!autoSyncEnabled || !setupComplete) return undefined
    const last = await findNewestRun(tenant, 'import', deps.now())
    return last && last.created_at >= turnAt ? undefined : findReadySince(tenant, deps.now())
  })
  if (since) await startHint(deps, organizationId, since, 'schedule')
}

/** Imports what webhooks announced, unless changes are still gathered. */
export async function followHints(deps: StartDeps, organizationId: number): Promise<void> {
  const since = await inOrganization(deps.database, organizationId, async (tenant) => {
    if (!(await hasPendingChanges(tenant))) return undefined
    const last = await findNewestRun(tenant, 'import', deps.now())
    const agoMs = deps.now().getTime() - (last?.completed_at?.getTime() ?? 0)
    const isGathering = last && agoMs >= 0 && agoMs < gatherMsAfter(last)
    return isGathering ? undefined : findReadySince(tenant, deps.now())
  })
  if (since) await startHint(deps, organizationId, since, 'webhook')
}

/**
 * How long hints are gathered after an import: as long as it took, so that one organization's changes keep a
 * worker busy half of the time at most. An import that read nothing delays none.
 */
export function gatherMsAfter(ended: Pick<Run, 'created_at' | 'completed_at' | 'processed_records'>): number {
  if (ended.processed_records === 0 || ended.completed_at === null) return 0
  const tookMs = ended.completed_at.getTime() - ended.created_at.getTime()
  return Math.min(Math.max(tookMs, gatherMinMs), gatherMaxMs)
}

/**
 * Up to when the ledger is complete, if an import of changes can continue from there: the key may read
 * changes, the last import did not fail for good, and no run is in progress except a waiting push.
 */
async function findReadySince(tenant: Tenant, now: Date): Promise<Date | undefined> {
  const connection = await findConnection(tenant, 'payments')
  if (!connection || connection.warning !== null) return undefined
  if (!readDetails(connection.details).mayReadChanges) return undefined
  const running = await findRunInProgress(tenant)
  if (running && !isWaitingPush(running)) return undefined
  const last = await findNewestRun(tenant, 'import', now)
  if (isFailedForGood(last)) return undefined
  return (await findPaymentAccount(tenant))?.refreshed_at ?? undefined
}

/** Whether the newest import failed so that only the hourly run tries again. */
export function isFailedForGood(last: Run | undefined): boolean {
  return last?.status === 'failed' && !wasProviderAway(last)
}

/**
 * Whether an import of changes failed only because the provider was away or too busy, so that the next one may succeed.
 * Not an import of everything: the next one continues it only while no import of changes succeeded since.
 */
function wasProviderAway({ options, failed_request }: Run): boolean {
  if (readImportOptions(options).mode !== 'window') return false
  const request: Record<string, unknown> = { ...(typeof failed_request === 'object' ? failed_request : {}) }
  const { path, status } = request
  if (typeof path !== 'string') return false
  return typeof status !== 'number' || status >= 500 || status === 429 || status === 409
}

/** What to import since an instant, which lies ahead where a clock was put back after the last import. */
export function windowSince(since: Date, now: Date): { mode: 'window'; from: Date; until: Date } {
  return { mode: 'window', from: since < now ? since : now, until: now }
}

async function startHint(
  deps: StartDeps,
  organizationId: number,
  since: Date,
  by: 'schedule' | 'webhook',
): Promise<void> {
  const request = windowSince(since, deps.now())
  await startImport(deps, organizationId, request, { isScheduled: true, isHint: true, start: { by } })
}
