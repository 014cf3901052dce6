import { rebuildEvents, rebuildingPhase } from '../ledger/rebuild-events.ts'
import type { ImportContext } from '../runs/run-context.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { ImportProgress } from './progress.ts'

/** Phase 4: rebuilds the ledger of every customer that is due, beside other workers. */
export async function rebuild(
  context: ImportContext,
  { knownAt }: Checkpoint,
  progress: ImportProgress,
): Promise<void> {
  const { done, failed } = await progress.totals()
  await progress.enter(rebuildingPhase, { total: done + failed })
  await rebuildEvents(context, knownAt)
}
