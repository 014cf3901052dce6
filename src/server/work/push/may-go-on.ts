import { inOrganization } from '../../store/postgres/database.ts'
import { cancelRuns, inRun, RunLost } from '../../store/runs/runs.ts'
import { getSettings } from '../../store/setup/settings.ts'
import type { PushSession } from './push-session.ts'

/**
 * Called before every write to the CRM: a cancelled push, or one that another worker continues, must not write; a
 * scheduled push stops when automatic sync is switched off. Throws RunLost then.
 */
export async function mayGoOn({ deps, claim, isScheduled }: PushSession): Promise<void> {
  const isWanted = await inRun(
    deps.database,
    claim,
    async (tenant) => !isScheduled || (await getSettings(tenant)).autoSyncEnabled,
  )
  if (isWanted) return
  const message = 'Stopped, because automatic sync was switched off. What was done stays.'
  await inOrganization(deps.database, claim.organizationId, (tenant) =>
    cancelRuns(tenant, deps.now(), message, claim.runId),
  )
  throw new RunLost()
}
