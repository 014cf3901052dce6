import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { findOwedImport } from '../../store/runs/owed-push.ts'
import { getSettings } from '../../store/setup/settings.ts'
import { startPush } from './start-push.ts'

/**
 * Starts the push that brings an import's changes into the CRM, where automatic sync is on. Returns false if no
 * push is needed or possible; then the hourly one remains.
 */
export async function pushAfterImport(deps: Deps, organizationId: number): Promise<boolean> {
  const followsRunId = await inOrganization(deps.database, organizationId, async (tenant) => {
    const { autoSyncEnabled, setupComplete } = await getSettings(tenant)
    return autoSyncEnabled && setupComplete ? findOwedImport(tenant) : undefined
  })
  if (followsRunId === undefined) return false
  try {
    const wanted = { retriesFailed: false, isScheduled: true, isHint: true }
    return (await startPush(deps, organizationId, wanted, { by: 'import', followsRunId })).isNew
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
