import { fromKysely, PgBoss } from 'pg-boss'
import type { Deps } from '../deps.ts'
import { queueSchema, type RunJob, runQueues } from './queues.ts'

/**
 * Hands runs to the workers in the transaction that started them: the run and its job come to be together or not at
 * all. A run that has its job already gets no second one; if that waits for its time, the time is now.
 */
export function createEnqueue(): Deps['enqueue'] {
  return async (tenant, run) => {
    const boss = new PgBoss({
      db: fromKysely(tenant.sql),
      schema: queueSchema,
      migrate: false,
      supervise: false,
      schedule: false,
    })
    await boss.start()
    try {
      const job: RunJob = { version: 1, organizationId: tenant.organizationId, runId: run.id }
      const queue = runQueues[run.kind]
      const sent = await boss.send(queue, job, { singletonKey: run.id })
      if (sent === null) await boss.update(queue, job, { singletonKey: run.id, startAfter: 1 })
    } finally {
      await boss.stop({ graceful: false })
    }
  }
}
