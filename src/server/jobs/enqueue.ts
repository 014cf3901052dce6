import { fromKysely, PgBoss } from 'pg-boss'
import type { Deps } from '../deps.ts'
import { listOrganizationIds } from '../store/accounts/organizations.ts'
import { type Database, inOrganization, type Tenant } from '../store/postgres/database.ts'
import { findRunInProgress, type Run, runKinds } from '../store/runs/runs.ts'
import { priorityOf } from './priority.ts'
import { assistQueue, assistsMax, type QueuedRun, queueSchema, type RunJob, runQueues } from './queues.ts'

/**
 * Enqueues a run in the transaction that starts it, so that run and job exist together or not at all. A run
 * gets no second job; if its job waits for a later time, it becomes due now.
 */
export function createEnqueue(): Deps['enqueue'] {
  return async (tenant, run) => {
    const boss = bossIn(tenant)
    const sent = await sendRun(boss, tenant.organizationId, run)
    if (sent === null) {
      const job = jobOf(tenant.organizationId, run.id)
      await boss.update(runQueues[run.kind], job, { singletonKey: run.id, startAfter: 1 })
    }
  }
}

/** Adds the jobs by which other workers help with a run; existing ones stay unchanged. */
export function createEnlist(): Deps['enlist'] {
  return async (tenant, runId) => {
    const data = jobOf(tenant.organizationId, runId)
    const jobs = Array.from({ length: assistsMax }, (_, index) => ({
      data,
      singletonKey: `${runId} ${index}`,
      group: { id: runId },
    }))
    await bossIn(tenant).insert(assistQueue, jobs)
  }
}

/** Adds the job of a run, unless it has one; then returns null. */
export function sendRun(
  boss: PgBoss,
  organizationId: number,
  run: QueuedRun,
  options: Parameters<PgBoss['send']>[2] = {},
): Promise<string | null> {
  const job = jobOf(organizationId, run.id)
  return boss.send(runQueues[run.kind], job, {
    ...options,
    singletonKey: run.id,
    priority: priorityOf(run),
  })
}

function jobOf(organizationId: number, runId: string): RunJob {
  return { version: 1, organizationId, runId }
}

/** The run as the queue knows it; undefined for a kind that no worker knows. */
export function queuedRunOf({ id, kind: name, options }: Run): QueuedRun | undefined {
  const kind = runKinds.find((one) => one === name)
  return kind && { id, kind, options }
}

/**
 * Enqueues every open run again, for a database that was restored without its queue. Returns their number.
 */
export async function enqueueOpenRuns(database: Database): Promise<number> {
  const enqueue = createEnqueue()
  let count = 0
  for (const organizationId of await listOrganizationIds(database)) {
    await inOrganization(database, organizationId, async (tenant) => {
      const run = await findRunInProgress(tenant)
      const queued = run && queuedRunOf(run)
      if (!queued) return
      await enqueue(tenant, queued)
      count += 1
    })
  }
  return count
}

/**
 * Does everything on the connection of the transaction: a second connection, while this one is held, could be waited for
 * without end. It is never started, so it holds no timer.
 */
function bossIn(tenant: Tenant): PgBoss {
  return new PgBoss({
    db: fromKysely(tenant.sql),
    schema: queueSchema,
    migrate: false,
    supervise: false,
    schedule: false,
  })
}
