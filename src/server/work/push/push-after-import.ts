import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { findOwedImport } from '../../store/runs/owed-push.ts'
import type { Run, RunStart } from '../../store/runs/runs.ts'
import { getSettings } from '../../store/setup/settings.ts'
import { startPush } from './start-push.ts'

/** How a push after an import is started: in the name of the person who asked for the import, if one did. */
export function afterImport({
  id,
  started_by_user_id: userId,
}: Pick<Run, 'id' | 'started_by_user_id'>): RunStart {
  return { by: 'import', followsRunId: id, ...(userId !== null && { userId }) }
}

/**
 * Starts the push that brings an import's changes into the CRM, where automatic sync is on. Returns false if no
 * push is needed or possible; then the hourly one remains.
 */
export async function pushAfterImport(deps: Deps, organizationId: number): Promise<boolean> {
  const imported = await inOrganization(deps.database, organizationId, async (tenant) => {
    const { autoSyncEnabled, setupComplete } = await getSettings(tenant)
    return autoSyncEnabled && setupComplete ? findOwedImport(tenant, deps.now()) : undefined
  })
  if (imported === undefined) return false
  try {
    const wanted = { retriesFailed: false, isScheduled: true, isHint: true }
    return (await startPush(deps, organizationId, wanted, afterImport(imported))).isNew
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
