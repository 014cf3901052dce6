import { getSyncState, type SyncState } from '#contract/sync.ts'
import { type Router, serve } from '../../http/serve.ts'
import { findConnections } from '../../store/connections/connections.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { findLastEnded } from '../../store/runs/last-ended.ts'
import { findRunInProgress } from '../../store/runs/runs.ts'
import { isHint } from '../../work/runs/scheduled-run.ts'

export function serveSyncState(router: Router): void {
  serve(router, getSyncState, ({ inOrganization }) => inOrganization(readSyncState))
}

/** Reads a few rows along indexes, because every screen asks for it. */
async function readSyncState(tenant: Tenant): Promise<SyncState> {
  const { payments, crm } = await findConnections(tenant)
  const running = await findRunInProgress(tenant)
  const last = await findLastEnded(tenant, ['completed', 'failed'])
  const good = last?.status === 'completed' ? last : await findLastEnded(tenant, ['completed'])
  const stateOf = (): SyncState['state'] => {
    if (payments === undefined || crm === undefined) return 'not_connected'
    if (payments.warning !== null || crm.warning !== null) return 'refused'
    if (running !== undefined && !isHint(running)) return 'running'
    if (last === undefined) return 'never'
    return last.status === 'failed' ? 'failed' : 'synced'
  }
  return { state: stateOf(), lastCompletedAt: good?.completed_at?.toISOString() ?? null }
}
