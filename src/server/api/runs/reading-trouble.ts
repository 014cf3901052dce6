import { lookEverySeconds } from '#domain/freshness.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { waitingPhase } from '../../store/runs/run-failures.ts'
import { findNewestRun, findRunInProgress } from '../../store/runs/runs.ts'
import { isFailedForGood } from '../../work/import/refresh-payments.ts'
import { findNextRunAt } from '../freshness.ts'

/** After this long without a look, although a turn may begin some minutes late. */
const silentSeconds = 3 * lookEverySeconds
const hourSeconds = 3_600

/**
 * Why changes are not read as often as automatic work promises: an import waits for the provider, or the last one
 * failed, or nothing began for so long that probably no worker runs. Null where all is well.
 */
export async function findReadingTrouble(
  tenant: Tenant,
  { refreshedAt, readsChanges, now }: { refreshedAt: Date | null; readsChanges: boolean; now: Date },
): Promise<{ cause: 'waits' | 'failed' | 'silent'; reason: string | null } | null> {
  if (refreshedAt === null || (await findNextRunAt(tenant, now)) === undefined) return null
  const running = await findRunInProgress(tenant)
  if (running?.kind === 'import' && running.phase === waitingPhase)
    return { cause: 'waits', reason: running.message }
  // Without a phase, no worker has taken it yet.
  if (running && running.phase !== null && running.phase !== waitingPhase) return null
  if (readsChanges && isFailedForGood(await findNewestRun(tenant, 'import', now)))
    return { cause: 'failed', reason: null }
  const agoSeconds = (now.getTime() - refreshedAt.getTime()) / 1_000
  const isSilent = agoSeconds > silentSeconds + (readsChanges ? 0 : 2 * hourSeconds)
  return isSilent ? { cause: 'silent', reason: null } : null
}
