import { getSyncState, type SyncState } from '#contract/sync.ts'
import { type Router, serve } from '../../http/serve.ts'
import { areObjectsMissing } from '../../store/crm/crm-objects.ts'
import { isAnyRefused } from '../../store/crm/refusals.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { findLastEnded } from '../../store/runs/last-ended.ts'
import { getSettings, type OrganizationSettings } from '../../store/setup/settings.ts'
import { areNoneSent } from '../../store/setup/setup-facts.ts'
import { readSynced } from '../setup/setup-progress.ts'
import { readSyncStanding, type SyncStanding } from '../sync-standing.ts'

export function serveSyncState(router: Router): void {
  serve(router, getSyncState, ({ inOrganization }) =>
    inOrganization(async (tenant) => {
      const standing = await readSyncStanding(tenant)
      const good = await findLastEnded(tenant, ['completed'])
      return {
        automatic: automaticOf(await getSettings(tenant)),
        refused: standing.refused.map(({ provider }) => provider),
        lastCompletedAt: good?.completed_at.toISOString() ?? null,
        ...(await stateOf(tenant, standing)),
      }
    }),
  )
}

function automaticOf({ autoSyncEnabled, setupComplete }: OrganizationSettings): SyncState['automatic'] {
  if (!autoSyncEnabled) return 'off'
  return setupComplete ? 'on' : 'paused'
}

/** What waits is counted last: it costs the most, and makes the transaction look up each row. */
async function stateOf(
  tenant: Tenant,
  standing: SyncStanding,
): Promise<Pick<SyncState, 'state' | 'running' | 'waitingRecords'>> {
  const { running, refused } = standing
  // Before HubSpot is connected too: the first import goes on while a person looks at other screens.
  if (running !== undefined && refused.length === 0)
    return { state: 'running', running: running.kind === 'import' ? 'import' : 'push', waitingRecords: 0 }
  const state = await troubleOf(tenant, standing)
  if (state !== 'synced') return { state, running: null, waitingRecords: 0 }
  const { total, subscriptions, events } = await readSynced(tenant, standing.crm?.account_id ?? null)
  const waitingRecords = Math.max(0, total.subscriptions + total.events - subscriptions - events)
  return { state: waitingRecords > 0 ? 'waiting' : 'synced', running: null, waitingRecords }
}

async function troubleOf(tenant: Tenant, standing: SyncStanding): Promise<SyncState['state']> {
  const { payments, crm, refused, lastImport, lastSync } = standing
  if (crm === undefined) return payments === undefined ? 'not_connected' : 'no_hubspot'
  if (payments === undefined) return 'no_stripe'
  if (refused.length > 0) return 'refused'
  if (crm.earlier_account_id !== null) return 'undecided'
  // A failed run comes after that: no run can succeed before a person has put it right.
  if (await areObjectsMissing(tenant, crm.account_id ?? '')) return 'objects_missing'
  const problems = [lastImport?.problem, lastSync?.problem]
  if (problems.includes('failed')) return 'failed'
  if (problems.includes('reconnected')) return 'reconnected'
  if (lastImport === undefined && lastSync === undefined) return 'never'
  if (await areNoneSent(tenant, crm.account_id ?? '')) return 'imported'
  return (await isAnyRefused(tenant)) ? 'incomplete' : 'synced'
}
