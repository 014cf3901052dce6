import { fromKysely, type Job, PgBoss } from 'pg-boss'
import type { Deps } from '../deps.ts'
import { cancelStatements, type Tenant } from '../store/postgres/database.ts'
import { type Run, type RunKind, runKinds } from '../store/runs/runs.ts'
import { type InSpan, noTraces } from '../traces.ts'
import { followHints } from '../work/import/refresh-payments.ts'
import { assistRun } from './assist-run.ts'
import { followClock } from './follow-clock.ts'
import { followRun } from './follow-run.ts'
import { assistQueue, queueSchema, type RunJob, runQueues, scheduleNames, scheduleQueue } from './queues.ts'
import { runWorks } from './run-works.ts'
import { workOnRun } from './work-on-run.ts'

/** When a worker stops, its running work gets this time to end. */
const stopWithinMs = 8_000
/** A statement that runs longer than this after the stop is cancelled; another worker repeats its work. */
const cancelAfterMs = 3_000
const pollSeconds = 0.5
/** With notifications, polling only finds delayed jobs and those of dead workers. */
const pollSecondsHearing = 1
const heartbeatEverySeconds = 3
const superviseEverySeconds = 2

export type Worker = { stop(): Promise<void> }

/**
 * Works on the runs of all organizations, beside any number of workers. A stop ends its runs at their next
 * step; another worker continues them.
 */
export async function startWorker(
  deps: Deps,
  options: {
    url: string
    concurrency: number
    signal?: AbortSignal
    /** Receives every run that ended in this worker. */
    onRunEnd?: (ended: Run) => void
    /** Does each attempt at a run in a span. */
    inSpan?: InSpan
  },
): Promise<Worker> {
  const { inSpan = noTraces.inSpan } = options
  const stopping = new AbortController()
  const boss = new PgBoss({
    connectionString: options.url,
    schema: queueSchema,
    application_name: 'tributary worker',
    max: 4,
    migrate: false,
    // A notification starts a job at its commit; polling finds the others.
    useListenNotify: true,
    reindex: false,
    monitorVacuum: false,
    superviseIntervalSeconds: superviseEverySeconds,
    monitorIntervalSeconds: superviseEverySeconds,
  })
  boss.on('error', (error) => deps.log.error({ error }, 'queue error'))
  await boss.start()
  const polling = {
    pollingIntervalSeconds: pollSeconds,
    notifyPollingIntervalSeconds: pollSecondsHearing,
    localConcurrency: options.concurrency,
    heartbeatRefreshSeconds: heartbeatEverySeconds,
  }
  const follow = async (organizationId: number, ended: Run): Promise<void> => {
    const { gatherMs } = await followRun(deps, organizationId, ended)
    if (gatherMs > 0) followLater(deps, { organizationId, gatherMs }, stopping.signal)
  }
  const ours = new Set<string>()
  for (const kind of runKinds) {
    const handle = async ([job]: Job<RunJob>[]): Promise<void> => {
      if (!job) return
      requireVersion(job)
      const signal = AbortSignal.any([job.signal, stopping.signal])
      const task = {
        kind,
        work: runWorks[kind],
        postpone: postponer(boss, kind, job),
        observe: options.onRunEnd,
      }
      ours.add(job.data.runId)
      const ended = await spanOf(inSpan, kind, job.data, () =>
        workOnRun(deps, task, job.data, signal),
      ).finally(() => ours.delete(job.data.runId))
      if (ended) await follow(job.data.organizationId, ended)
    }
    // Recounts become due for every organization at once. One at a time leaves room for work that a person
    // waits for.
    const localConcurrency = kind === 'recount' ? 1 : polling.localConcurrency
    await boss.work<RunJob>(runQueues[kind], { ...polling, localConcurrency }, handle)
  }
  // At most one helper per run, so that other workers share the rest.
  await boss.work<RunJob>(assistQueue, { ...polling, localGroupConcurrency: 1 }, async ([job]) => {
    if (!job) return
    requireVersion(job)
    const signal = AbortSignal.any([job.signal, stopping.signal])
    const isOurs = () => ours.has(job.data.runId)
    await spanOf(inSpan, assistQueue, job.data, () => assistRun(deps, job.data, { signal, isOurs }))
  })
  await boss.work<{ name: string }>(scheduleQueue, async ([job]) => {
    const name = scheduleNames.find((one) => one === job?.data.name)
    if (job && name) await followClock(deps, boss, name, AbortSignal.any([job.signal, stopping.signal]))
  })

  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping.abort(new Error('The worker is being stopped.'))
    stopped ??= stopBoss(deps, boss)
    return stopped
  }
  options.signal?.addEventListener('abort', () => void stop(), { once: true })
  return { stop }
}

function spanOf<T>(inSpan: InSpan, name: string, job: RunJob, work: () => Promise<T>): Promise<T> {
  const attributes = { 'tributary.organization.id': job.organizationId, 'tributary.run.id': job.runId }
  return inSpan({ name, role: 'job', attributes }, work)
}

function requireVersion({ data }: Job<RunJob>): void {
  if (data.version !== 1) throw new Error(`A job of version ${data.version} is not ours to do.`)
}

/** Claims no more jobs, waits for running ones, and closes the queue last. */
async function stopBoss(deps: Deps, boss: PgBoss): Promise<void> {
  const cancelling = setTimeout(() => {
    cancelStatements(deps.database).catch((error: unknown) => deps.log.warn({ error }, 'could not cancel'))
  }, cancelAfterMs)
  try {
    await boss.stop({ graceful: true, timeout: stopWithinMs })
  } finally {
    clearTimeout(cancelling)
  }
}

/** Completes the job and enqueues a delayed one for the run, in the given transaction. */
function postponer(boss: PgBoss, kind: RunKind, job: Job<RunJob>) {
  return async (tenant: Tenant, waitMs: number): Promise<void> => {
    const db = fromKysely(tenant.sql)
    const options = { db, singletonKey: job.data.runId, startAfter: Math.ceil(waitMs / 1_000) }
    await boss.complete(runQueues[kind], job.id, null, { db })
    await boss.send(runQueues[kind], job.data, options)
  }
}

/** Follows the hints that were gathered after an import, without keeping a place in the queue meanwhile. */
function followLater(
  deps: Deps,
  { organizationId, gatherMs }: { organizationId: number; gatherMs: number },
  stopping: AbortSignal,
): void {
  deps
    .sleep(gatherMs, stopping)
    .then(() => followHints(deps, organizationId))
    .catch((error: unknown) => {
      if (!stopping.aborted) deps.log.error({ error, organizationId }, 'hints were not followed')
    })
}
