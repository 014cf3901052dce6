import { sql } from 'kysely'
import type { Database } from '../store/postgres/database.ts'
import { queueSchema } from './queues.ts'

/** The jobs of one queue that no worker has taken although they are due, and for how many seconds the oldest has waited. */
export type DueJobs = { queue: string; count: number; oldestSeconds: number }

/** Reads each queue's due jobs, also of queues that have none. */
export async function readDueJobs(database: Database): Promise<DueJobs[]> {
  const { rows } = await sql<DueJobs>`
    select q.name as queue, count(j.id) as count,
           coalesce(extract(epoch from clock_timestamp() - min(j.start_after)), 0)::float8 as "oldestSeconds"
      from ${sql.id(queueSchema, 'queue')} q
      left join ${sql.id(queueSchema, 'job')} j
        on j.name = q.name and j.state in ('created', 'retry') and j.start_after <= clock_timestamp()
     group by q.name order by q.name`.execute(database)
  return rows
}
