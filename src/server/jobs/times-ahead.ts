import { sql } from 'kysely'
import type { Database } from '../store/postgres/database.ts'
import { queueSchema } from './queues.ts'

/** How far two readings of one clock may lie apart. */
const latest = sql`clock_timestamp() + interval '1 minute'`
const table = (name: string) => sql.id(queueSchema, name)
const sooner = (column: string) => sql`${sql.ref(column)} = least(${sql.ref(column)}, clock_timestamp())`

/**
 * Sets times of the queue engine that lie ahead to now: the database's clock was put back. Until they came, no schedule, no
 * delayed job and no job of a dead worker would start.
 */
export async function forgetTimesAhead(database: Database): Promise<void> {
  await sql`
    update ${table('version')} set ${sooner('cron_on')} where cron_on > ${latest}`.execute(database)
  await sql`
    update ${table('queue')} set ${sooner('monitor_claim_on')}, ${sooner('monitor_on')}, ${sooner('maintain_on')}
     where greatest(monitor_claim_on, monitor_on, maintain_on) > ${latest}`.execute(database)
  await sql`
    update ${table('job')} set ${sooner('created_on')}, ${sooner('start_after')}
     where state in ('created', 'retry') and created_on > ${latest}`.execute(database)
  // A worker that is alive renews it within seconds.
  await sql`
    update ${table('job')} set ${sooner('started_on')}, ${sooner('heartbeat_on')}
     where state = 'active' and greatest(started_on, heartbeat_on) > ${latest}`.execute(database)
}
