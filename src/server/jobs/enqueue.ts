import { fromKysely, PgBoss } from 'pg-boss'
import type { Deps } from '../deps.ts'
import { listOrganizationIds } from '../store/accounts/organizations.ts'
import { type Database, inOrganization, type Tenant } from '../store/postgres/database.ts'
import { findRunInProgress } from '../store/runs/runs.ts'
import { assistQueue, assistsMax, queueSchema, type RunJob, runQueues } from './queues.ts'

/**
 * Enqueues a run in the transaction that starts it, so that run and job exist together or not at all. A run
 * gets no second job; if its job waits for a later time, it becomes due now.
 */
export function createEnqueue(): Deps['enqueue'] {
  return (tenant, run) =>
    withBoss(tenant, async (boss) => {
      const job = jobOf(tenant, run.id)
      const queue = runQueues[run.kind]
      const sent = await boss.send(queue, job, { singletonKey: run.id })
      if (sent === null) await boss.update(queue, job, { singletonKey: run.id, startAfter: 1 })
    })
}

/** Adds the jobs by which other workers help with a run; existing ones stay unchanged. */
export function createEnlist(): Deps['enlist'] {
  return (tenant, runId) =>
    withBoss(tenant, async (boss) => {
      const data = jobOf(tenant, runId)
      const jobs = Array.from({ length: assistsMax }, (_, index) => ({
        data,
        singletonKey: `${runId} ${index}`,
        group: { id: runId },
      }))
      await boss.insert(assistQueue, jobs)
    })
}

function jobOf({ organizationId }: Tenant, runId: string): RunJob {
  return { version: 1, organizationId, runId }
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
      if (!run) return
      await enqueue(tenant, { id: run.id, kind: run.kind === 'push' ? 'push' : 'import' })
      count += 1
    })
  }
  return count
}

/** Runs the queue engine in the caller's transaction. */
async function withBoss(tenant: Tenant, work: (boss: PgBoss) => Promise<void>): Promise<void> {
  const boss = new PgBoss({
    db: fromKysely(tenant.sql),
    schema: queueSchema,
    migrate: false,
    supervise: false,
    schedule: false,
  })
  await boss.start()
  try {
    await work(boss)
  } finally {
    await boss.stop({ graceful: false })
  }
}
