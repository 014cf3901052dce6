import { fromKysely, PgBoss } from 'pg-boss'
import type { Deps } from '../deps.ts'
import { queueSchema, type RunJob, runQueues } from './queues.ts'

/**
 * Hands runs to the workers in the transaction that started them: the run and its job come to be together or not at
 * all. A run that has its job already gets no second one.
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
      await boss.send(runQueues[run.kind], job, { singletonKey: run.id })
    } finally {
      await boss.stop({ graceful: false })
    }
  }
}
