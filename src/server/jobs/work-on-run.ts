import type { Deps } from '../deps.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { inOrganization } from '../store/database.ts'
import { countRunFailure, isClaimHeld } from '../store/run-failures.ts'
import { type Claim, claimRun, endRun, findRun, type RunKind, RunLost } from '../store/runs.ts'
import type { RunJob } from './queues.ts'
import type { RunWork } from './run-works.ts'

/** Attempts that may end in an error nobody expected, before the run is given up. */
const failuresMax = 5
/** Attempts of any end, so that a run that brings its process down every time does not do so for ever. */
const attemptsMax = 100
const backoffMs = 1_000
const watchEveryMs = 2_000

export type RunEnd = { status: string; options: unknown }

/**
 * Claims the run of a job and works on it. Returns how it ended, or undefined when it is somebody else's or was
 * stopped. Throws when another attempt is to go on with it.
 */
export async function workOnRun(
  deps: Deps,
  kind: RunKind,
  work: RunWork,
  job: RunJob,
  signal: AbortSignal,
): Promise<RunEnd | undefined> {
  const claimed = await claimRun(deps.database, job.organizationId, job.runId, deps.now())
  if (!claimed) return undefined
  const { claim, run } = claimed
  const log = deps.log.child({ runId: run.id, kind, attempt: claim.attempt })
  if (claim.attempt > attemptsMax) {
    await giveUp(deps, claim, 'It was interrupted too often.')
    return undefined
  }
  const lost = watchClaim(deps, claim)
  try {
    log.info('run claimed')
    await work(deps, claim, run, AbortSignal.any([signal, lost.signal]))
    const ended = await inOrganization(deps.database, claim.organizationId, (tenant) =>
      findRun(tenant, run.id),
    )
    log.info({ status: ended?.status }, 'run ended')
    return ended && { status: ended.status, options: ended.options }
  } catch (error) {
    if (error instanceof RunLost || lost.signal.aborted) return undefined
    signal.throwIfAborted()
    if (error instanceof ProviderError) {
      await giveUp(deps, claim, error.message)
      return undefined
    }
    log.error({ error }, 'run met an error')
    await failOrRetry(deps, claim, error, signal)
    return undefined
  } finally {
    lost.stop()
  }
}

/** Looks every two seconds whether the run was cancelled or taken over, so that waiting work stops as well. */
function watchClaim(deps: Deps, claim: Claim): { signal: AbortSignal; stop: () => void } {
  const lost = new AbortController()
  const timer = setInterval(() => {
    isClaimHeld(deps.database, claim).then(
      (isHeld) => isHeld || lost.abort(new RunLost()),
      // A database that is away says nothing about the claim; the next write will.
      () => {},
    )
  }, watchEveryMs)
  timer.unref()
  return { signal: lost.signal, stop: () => clearInterval(timer) }
}

async function failOrRetry(deps: Deps, claim: Claim, error: unknown, signal: AbortSignal): Promise<void> {
  try {
    const failures = await countRunFailure(deps.database, claim)
    if (failures >= failuresMax) {
      await giveUp(
        deps,
        claim,
        'Something went wrong on our side. Start it again; if it fails again, contact support.',
      )
      return
    }
    await deps.sleep(backoffMs * 2 ** failures, signal)
  } catch (lost) {
    if (lost instanceof RunLost) return
    throw lost
  }
  throw error
}

async function giveUp(deps: Deps, claim: Claim, reason: string): Promise<void> {
  await endRun(deps.database, claim, {
    status: 'failed',
    message: 'It could not be finished.',
    error: reason,
    at: deps.now(),
  }).catch((error: unknown) => {
    if (!(error instanceof RunLost)) throw error
  })
}
