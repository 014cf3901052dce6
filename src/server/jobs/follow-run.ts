import type { Deps } from '../deps.ts'
import { Refusal } from '../refusal.ts'
import type { Run } from '../store/runs/runs.ts'
import { followHints, gatherMsAfter } from '../work/import/refresh-payments.ts'
import { afterImport, pushAfterImport } from '../work/push/push-after-import.ts'
import { startPush } from '../work/push/start-push.ts'
import { isHint, isScheduled } from '../work/runs/scheduled-run.ts'

/**
 * Starts what follows an ended run: the push of an import's changes, or the import of what webhooks announced.
 * Returns after how long `followHints` is due again. If a worker dies here, the next sweep does the same.
 */
export async function followRun(
  deps: Deps,
  organizationId: number,
  ended: Run,
): Promise<{ gatherMs: number }> {
  const isImported = ended.kind === 'import' && ended.status === 'completed'
  const isPushed = isImported && isScheduled(ended) && (await push(deps, organizationId, ended))
  if (!isPushed) await followHints(deps, organizationId)
  return { gatherMs: ended.kind === 'import' ? gatherMsAfter(ended) : 0 }
}

/** The hourly push looks for changes in the CRM too, so it follows an import that changed nothing. */
async function push(deps: Deps, organizationId: number, ended: Run): Promise<boolean> {
  if (isHint(ended)) return ended.processed_records > 0 && pushAfterImport(deps, organizationId)
  try {
    const wanted = { retriesFailed: false, isScheduled: true }
    return (await startPush(deps, organizationId, wanted, afterImport(ended))).isNew
  } catch (error) {
    // If another run prevents the push, the next schedule pushes.
    if (error instanceof Refusal) return false
    throw error
  }
}
