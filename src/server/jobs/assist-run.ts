import type { Deps } from '../deps.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { inOrganization } from '../store/postgres/database.ts'
import { listOpenWindows } from '../store/runs/import-windows.ts'
import { waitingPhase } from '../store/runs/run-failures.ts'
import { type Claim, findRun, RunLost } from '../store/runs/runs.ts'
import { assistImport, assistRebuild } from '../work/import/assist-import.ts'
import { rebuildingPhase } from '../work/ledger/rebuild-events.ts'
import type { RunJob } from './queues.ts'
import { watchClaim } from './watch-claim.ts'

const lookEveryMs = 1_000

/**
 * Helps with an import that another worker claimed, under its claim, until no list is open and no customer is
 * due. Waits while this worker holds the claim itself. The claiming worker handles failures of the provider.
 */
export async function assistRun(
  deps: Deps,
  job: RunJob,
  { signal, isOurs }: { signal: AbortSignal; isOurs: () => boolean },
): Promise<void> {
  for (;;) {
    const claim = await findOpenClaim(deps, job)
    if (!claim) return
    if (!isOurs()) {
      const ended = await assist(deps, claim, signal)
      if (ended) return
    }
    await deps.sleep(lookEveryMs, signal)
  }
}

/** Returns true if no work is left or the provider did not answer. */
async function assist(deps: Deps, claim: Claim, signal: AbortSignal): Promise<boolean> {
  const lost = watchClaim(deps, claim)
  try {
    deps.log.info({ runId: claim.runId, attempt: claim.attempt }, 'assists a run')
    const either = AbortSignal.any([signal, lost.signal])
    await assistImport(deps, claim, either)
    await assistRebuild(deps, claim, either)
    return true
  } catch (error) {
    // The run was cancelled, or another attempt claimed it; then help that attempt.
    if (error instanceof RunLost || lost.signal.reason instanceof RunLost) return false
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn({ runId: claim.runId, kind: error.kind }, 'could not assist')
    return true
  } finally {
    lost.stop()
  }
}

/**
 * The claim of a run that still has lists to read or customers to rebuild; undefined if the run ended, waits,
 * or has neither.
 */
function findOpenClaim(deps: Deps, { organizationId, runId }: RunJob): Promise<Claim | undefined> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const run = await findRun(tenant, runId)
    if (run?.status !== 'in_progress' || run.phase === waitingPhase) return undefined
    const open = await listOpenWindows(tenant, runId, '')
    return open.length > 0 || run.phase === rebuildingPhase
      ? { organizationId, runId, attempt: run.attempt }
      : undefined
  })
}
