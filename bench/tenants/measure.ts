import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from '../../tools/child.ts'
import { clusterSeconds, processorSeconds } from './processor-time.ts'
import type { TenantStage } from './stage.ts'

export type MeasuredWork = {
  count: number
  /** Processor seconds: of the workers with the process that starts the runs, and of PostgreSQL. */
  workerSeconds: number
  databaseSeconds: number
  /** Until the last run ended. */
  seconds: number
  /** From the first worker's readiness to the start of each job, in order. */
  delays: number[]
}

type Conditions = { workers: number; besides?: () => Promise<unknown> }
const lookEveryMs = 100

/** Starts runs for all organizations at once, then workers, and measures until the runs have ended. */
export function openWorkers(stage: TenantStage) {
  const workers: Child[] = []
  const usedByWorkers = () =>
    workers.reduce(
      (sum, { process: { pid } }) => sum + processorSeconds(pid ?? 0),
      processorSeconds(process.pid),
    )
  const stopAll = async () => {
    for (const worker of workers.splice(0)) await worker.stop()
  }
  const start = async (count: number) => {
    for (let number = workers.length; number < count; number += 1)
      workers.push(
        await startChild({
          name: `worker ${number}`,
          args: ['src/cli/tributary.ts', 'worker'],
          environment: stage.environment,
          logFile: join(stage.folder, 'logs', `worker-${number}.log`),
          say: () => {},
        }),
      )
  }
  async function measure(
    ids: readonly number[],
    enqueue: (id: number) => Promise<unknown>,
    { workers: count, besides }: Conditions,
  ): Promise<MeasuredWork> {
    await stopAll()
    await stage.query('delete from pgboss.job')
    // Enqueueing is part of the cost. What the workers' start takes is not.
    const before = { worker: processorSeconds(process.pid), database: clusterSeconds(stage.postmaster) }
    await besides?.()
    for (const id of ids) await enqueue(id)
    const enqueued = {
      worker: processorSeconds(process.pid) - before.worker,
      database: clusterSeconds(stage.postmaster) - before.database,
    }
    await start(1)
    const startedAt = Date.now()
    await start(count)
    const begun = { worker: usedByWorkers(), database: clusterSeconds(stage.postmaster) }
    while (await isOpen(stage, ids)) await sleep(lookEveryMs)
    const measured = {
      count: ids.length,
      workerSeconds: enqueued.worker + usedByWorkers() - begun.worker,
      databaseSeconds: enqueued.database + clusterSeconds(stage.postmaster) - begun.database,
      seconds: (Date.now() - startedAt) / 1_000,
      delays: await delaysOf(stage, ids, startedAt),
    }
    await stopAll()
    return measured
  }
  return { measure, stopAll }
}

async function isOpen({ query }: TenantStage, ids: readonly number[]): Promise<boolean> {
  const open = await query(
    `select 1 from runs where status = 'in_progress' and organization_id = any($1) limit 1`,
    [ids],
  )
  return open.length > 0
}

async function delaysOf({ query }: TenantStage, ids: readonly number[], from: number): Promise<number[]> {
  const rows = await query<{ delay: number }>(
    `select extract(epoch from min(started_on))::float8 - $2::float8 / 1000 as delay from pgboss.job
      where (data ->> 'organizationId')::integer = any($1) and started_on is not null
      group by data ->> 'organizationId' order by 1`,
    [ids, from],
  )
  return rows.map(({ delay }) => delay)
}
