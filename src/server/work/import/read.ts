import { inOrganization } from '../../store/postgres/database.ts'
import { manyRows, refreshStatistics } from '../../store/postgres/statistics.ts'
import { hasObjects } from '../../store/runs/import-objects.ts'
import type { ImportContext } from '../runs/run-context.ts'
import { together } from '../runs/task-group.ts'
import type { Checkpoint } from './checkpoint.ts'
import { fetchObjects, fetchUnlisted } from './fetch-objects.ts'
import type { ImportProgress } from './progress.ts'
import { readWindows } from './read-windows.ts'
import { rebuildReady } from './rebuild-ready.ts'

/**
 * Phase 2: reads every open window, then changed objects, then objects that no complete list contained. In this
 * order newer answers win. A first import rebuilds customers beside the lists, once their history is complete.
 */
export async function read(
  context: ImportContext,
  checkpoint: Checkpoint,
  progress: ImportProgress,
): Promise<void> {
  const { deps, claim } = context
  const { mode, areCustomersRead } = checkpoint.plan
  const hasMore = await inOrganization(deps.database, claim.organizationId, (tenant) =>
    hasObjects(tenant, claim.runId),
  )
  const refresh = createRefresh(context, progress)
  const listsRead = new AbortController()
  await progress.enter('importing')
  await together(context, [
    async (own) => {
      await readWindows(own, { mode, onProgress: progress.note })
      listsRead.abort()
    },
    async (own) => {
      // An object that is fetched after the lists would change a customer that is rebuilt before.
      if (mode === 'first' && !hasMore)
        await rebuildReady(own, checkpoint, { refresh, until: listsRead.signal })
    },
  ])
  if (hasMore) await progress.enter('refreshing')
  await fetchObjects(context, progress.note)
  if (areCustomersRead) await fetchUnlisted(context, progress.note)
  await refresh()
}

const importedTables = ['customers', 'subscriptions', 'invoices', 'invoice_payments', 'events'] as const

/** Refreshes the planner's statistics each time the tables may have grown fourfold since the last refresh. */
function createRefresh({ deps }: ImportContext, progress: ImportProgress): () => Promise<void> {
  let refreshedAt = 0
  return async () => {
    const { done } = await progress.totals()
    if (done < Math.max(manyRows, 4 * refreshedAt)) return
    refreshedAt = done
    await refreshStatistics(deps.database, importedTables)
  }
}
