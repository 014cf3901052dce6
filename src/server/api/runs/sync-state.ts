import { getSyncState, type SyncState } from '#contract/sync.ts'
import { type Router, serve } from '../../http/serve.ts'
import { findConnections } from '../../store/connections/connections.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { findLastEnded } from '../../store/runs/last-ended.ts'
import { findRunInProgress } from '../../store/runs/runs.ts'
import { areNoneSent } from '../../store/setup/setup-facts.ts'
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
  const stateOf = async (): Promise<SyncState['state']> => {
    if (crm === undefined) return payments === undefined ? 'not_connected' : 'no_hubspot'
    if (payments === undefined) return 'no_stripe'
    if (payments.warning !== null || crm.warning !== null) return 'refused'
    if (running !== undefined && !isHint(running)) return 'running'
    if (crm.earlier_account_id !== null) return 'undecided'
    if (last === undefined) return 'never'
    if (last.status === 'failed') return 'failed'
    return (await areNoneSent(tenant, crm.account_id ?? '')) ? 'imported' : 'synced'
  }
  return {
    state: await stateOf(),
    refused: [
      ...(crm?.warning ? ['hubspot' as const] : []),
      ...(payments?.warning ? ['stripe' as const] : []),
    ],
    lastCompletedAt: good?.completed_at?.toISOString() ?? null,
  }
}
