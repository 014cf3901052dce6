import type { Deps } from '../deps.ts'
import { asSentence, ProviderError } from '../providers/provider-error.ts'
import { inOrganization, type Tenant } from '../store/postgres/database.ts'
import { errorCodeOf } from '../store/postgres/error-code.ts'
import { isDatabaseAway } from '../store/postgres/is-database-away.ts'
import { countRunFailure, postponeRun, waitingPhase } from '../store/runs/run-failures.ts'
import {
  type Claim,
  claimRun,
  endRun,
  findRun,
  type Run,
  type RunKind,
  RunLost,
  reportProgress,
} from '../store/runs/runs.ts'
import { pauseAfter } from '../work/runs/scheduled-run.ts'
import type { RunJob } from './queues.ts'
import type { RunWork } from './run-works.ts'
import { watchClaim } from './watch-claim.ts'

/** A run fails after this number of attempts with an unexpected error. */
const failuresMax = 5
/** Counts every attempt, so that a run that always crashes its process ends eventually. */
const attemptsMax = 100
const backoffMs = 1_000
/** PostgreSQL's error code for a full disk. */
const diskFull = '53100'

/** The work of a job, and how to enqueue it again later within a transaction. */
export type RunTask = {
  kind: RunKind
  work: RunWork
  postpone: (tenant: Tenant, run: Run, waitMs: number) => Promise<void>
  /** Receives a run that ended in this attempt. */
  observe?: ((ended: Run) => void) | undefined
}

/**
 * Claims the run of a job and works on it. Returns the ended run; undefined if it waits, belongs to another
 * attempt or was stopped. Throws if another attempt must continue.
 */
export async function workOnRun(
  deps: Deps,
  task: RunTask,
  job: RunJob,
  signal: AbortSignal,
): Promise<Run | undefined> {
  const claimed = await claimRun(deps.database, job.organizationId, job.runId, deps.now())
  if (!claimed) return undefined
  const { claim, run } = claimed
  const log = deps.log.child({ runId: run.id, kind: task.kind, attempt: claim.attempt })
  if (claim.attempt > attemptsMax) {
    return giveUp(deps, claim, task, 'It was interrupted too often.')
  }
  const lost = watchClaim(deps, claim)
  try {
    log.info('run claimed')
    if (run.phase === waitingPhase) await reportProgress(deps.database, claim, { message: 'Going on.' })
    await task.work(deps, claim, run, AbortSignal.any([signal, lost.signal]))
    const ended = await inOrganization(deps.database, claim.organizationId, (tenant) =>
      findRun(tenant, run.id),
    )
    log.info({ status: ended?.status }, 'run ended')
    if (ended) task.observe?.(ended)
    return ended
  } catch (error) {
    if (error instanceof RunLost || lost.signal.reason instanceof RunLost) return undefined
    lost.signal.throwIfAborted()
    signal.throwIfAborted()
    if (error instanceof ProviderError) return await waitOrGiveUp(deps, claim, run, task, error)
    // The run did not cause this error; it continues when the database is back.
    if (isDatabaseGone(error)) {
      if (errorCodeOf(error) === diskFull) await tellOfFullDisk(deps, claim)
      throw error
    }
    log.error({ error }, 'run met an error')
    return await failOrRetry(deps, claim, task, error, signal)
  } finally {
    lost.stop()
  }
}

async function waitOrGiveUp(
  deps: Deps,
  claim: Claim,
  run: Run,
  task: RunTask,
  error: ProviderError,
): Promise<Run | undefined> {
  const pauseMs = pauseAfter(run, error, deps.now())
  if (pauseMs === undefined) return giveUp(deps, claim, task, reasonOf(deps, run, error), error.request)
  const at = deps.now()
  const until = new Date(at.getTime() + pauseMs).toISOString()
  const message = `${asSentence(error.message)} It goes on at ${until.slice(11, 16)} UTC.`
  deps.log.warn({ runId: run.id, kind: error.kind, until }, 'run waits for a provider')
  await postponeRun(deps.database, claim, message, at, (tenant) => task.postpone(tenant, run, pauseMs)).catch(
    unlessLost,
  )
  return undefined
}

/** The reason for people. A provider's own words do not say whose they are. */
function reasonOf({ crm, payments }: Deps, { kind }: Run, error: ProviderError): string {
  const { name } = kind === 'push' ? crm : payments
  if (error.kind !== 'rejected' || error.message.includes(name)) return error.message
  return `${name} refused a request: ${error.message}`
}

/** A full disk refuses new rows, but an update of an existing row may still fit. */
async function tellOfFullDisk(deps: Deps, claim: Claim): Promise<void> {
  const message =
    'The database cannot write, since its disk is full. It goes on by itself once there is room.'
  deps.log.error({ runId: claim.runId }, "the database's disk is full")
  await reportProgress(deps.database, claim, { message }).catch(() => {})
}

/** A statement timeout is different: it would happen again, so it counts as a failure of the run. */
function isDatabaseGone(error: unknown): boolean {
  return isDatabaseAway(error) && errorCodeOf(error) !== '57014'
}

async function failOrRetry(
  deps: Deps,
  claim: Claim,
  task: RunTask,
  error: unknown,
  signal: AbortSignal,
): Promise<Run | undefined> {
  try {
    const failures = await countRunFailure(deps.database, claim)
    if (failures >= failuresMax) {
      return await giveUp(
        deps,
        claim,
        task,
        'Something went wrong on our side. Start it again; if it fails again, contact support.',
      )
    }
    await deps.sleep(backoffMs * 2 ** failures, signal)
  } catch (lost) {
    if (lost instanceof RunLost) return undefined
    throw lost
  }
  throw error
}

async function giveUp(
  deps: Deps,
  claim: Claim,
  task: RunTask,
  reason: string,
  request?: ProviderError['request'],
): Promise<Run | undefined> {
  await endRun(deps.database, claim, {
    status: 'failed',
    message: 'It could not be finished.',
    error: reason,
    ...(request && { request }),
    at: deps.now(),
  }).catch(unlessLost)
  const ended = await inOrganization(deps.database, claim.organizationId, (tenant) =>
    findRun(tenant, claim.runId),
  )
  if (ended?.status !== 'failed') return undefined
  task.observe?.(ended)
  return ended
}

function unlessLost(error: unknown): void {
  if (!(error instanceof RunLost)) throw error
}
