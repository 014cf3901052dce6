import { fromKysely, type Job, type PgBoss, type WorkOptions } from 'pg-boss'
import type { Deps } from '../deps.ts'
import { type Run, type RunKind, runKinds } from '../store/runs/runs.ts'
import type { InSpan } from '../traces.ts'
import { followHints } from '../work/import/refresh-payments.ts'
import { assistRun } from './assist-run.ts'
import { sendRun } from './enqueue.ts'
import { followRun } from './follow-run.ts'
import { smallPriority } from './priority.ts'
import { assistQueue, type RunJob, runQueues } from './queues.ts'
import { runWorks } from './run-works.ts'
import { type RunTask, workOnRun } from './work-on-run.ts'

/** With notifications, polling only finds delayed jobs and those of dead workers. */
const pollSecondsHearing = 1
const pollSeconds = 0.5
const heartbeatEverySeconds = 3

/** A worker process: what it works with, and how many runs of a kind it works on at the same time. */
export type WorkPlace = {
  deps: Deps
  boss: PgBoss
  stopping: AbortSignal
  concurrency: number
  /** Does each attempt at a run in a span. */
  inSpan: InSpan
  /** How often to poll although notifications arrive; every second by default. */
  pollSeconds?: number | undefined
}

/**
 * Works on the runs in the queues. Imports and pushes have one slot more than `concurrency`, for short runs only.
 * `observe` receives every run that ended here.
 */
export async function workOnRuns(place: WorkPlace, observe: RunTask['observe']): Promise<void> {
  const { deps, boss, stopping, concurrency, inSpan } = place
  const polling = {
    pollingIntervalSeconds: pollSeconds,
    notifyPollingIntervalSeconds: place.pollSeconds ?? pollSecondsHearing,
    heartbeatRefreshSeconds: heartbeatEverySeconds,
  }
  const ours = new Set<string>()
  for (const kind of runKinds) {
    const handle = async (job: Job<RunJob>): Promise<void> => {
      requireVersion(job)
      const { runId, organizationId } = job.data
      const task = { kind, work: runWorks[kind], postpone: postponer(boss, kind, job), observe }
      ours.add(runId)
      const signal = AbortSignal.any([job.signal, stopping])
      const ended = await spanOf(inSpan, kind, job.data, () =>
        workOnRun(deps, task, job.data, signal),
      ).finally(() => ours.delete(runId))
      if (ended) await follow(place, organizationId, ended)
    }
    // Recounts become due for every organization at once. One at a time leaves room for other work.
    const slots = kind === 'recount' ? 1 : concurrency
    for (let slot = 0; slot < slots; slot += 1) await openSlot(boss, runQueues[kind], polling, handle)
    const onlySmall = { ...polling, minPriority: smallPriority }
    if (kind !== 'recount') await openSlot(boss, runQueues[kind], onlySmall, handle)
  }
  // At most one helper per run, so that other workers share the rest.
  const assisting = { ...polling, localConcurrency: concurrency, localGroupConcurrency: 1 }
  await boss.work<RunJob>(assistQueue, assisting, async ([job]) => {
    if (!job) return
    requireVersion(job)
    const signal = AbortSignal.any([job.signal, stopping])
    const isOurs = () => ours.has(job.data.runId)
    await spanOf(inSpan, assistQueue, job.data, () => assistRun(deps, job.data, { signal, isOurs }))
  })
}

/** One job at a time; the next one is taken when a job ends, without waiting for the next poll. */
async function openSlot(
  boss: PgBoss,
  queue: string,
  options: WorkOptions,
  handle: (job: Job<RunJob>) => Promise<void>,
): Promise<void> {
  let id = ''
  id = await boss.work<RunJob>(queue, options, async ([job]) => {
    if (!job) return
    try {
      await handle(job)
    } finally {
      boss.notifyWorker(id)
    }
  })
}

function spanOf<T>(inSpan: InSpan, name: string, job: RunJob, work: () => Promise<T>): Promise<T> {
  const attributes = { 'tributary.organization.id': job.organizationId, 'tributary.run.id': job.runId }
  return inSpan({ name, role: 'job', attributes }, work)
}

function requireVersion({ data }: Job<RunJob>): void {
  if (data.version !== 1) throw new Error(`A job of version ${data.version} is not ours to do.`)
}

/** Completes the job and enqueues a delayed one for the run, in the given transaction. */
function postponer(boss: PgBoss, kind: RunKind, job: Job<RunJob>): RunTask['postpone'] {
  return async (tenant, { id, options }, waitMs) => {
    const db = fromKysely(tenant.sql)
    await boss.complete(runQueues[kind], job.id, null, { db })
    const startAfter = Math.ceil(waitMs / 1_000)
    await sendRun(boss, tenant.organizationId, { id, kind, options }, { db, startAfter })
  }
}

async function follow(place: WorkPlace, organizationId: number, ended: Run): Promise<void> {
  const { gatherMs } = await followRun(place.deps, organizationId, ended)
  if (gatherMs > 0) followLater(place, organizationId, gatherMs)
}

/** Follows the hints that were gathered after an import, without keeping a slot meanwhile. */
function followLater({ deps, stopping }: WorkPlace, organizationId: number, gatherMs: number): void {
  deps
    .sleep(gatherMs, stopping)
    .then(() => followHints(deps, organizationId))
    .catch((error: unknown) => {
      if (!stopping.aborted) deps.log.error({ error, organizationId }, 'hints were not followed')
    })
}
