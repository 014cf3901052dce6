import { sql } from 'kysely'
import type { Tenant } from './database.ts'

/**
 * Has the rest of the transaction read tables along their indexes and join row by row, which is what pages of a sorted
 * list are met by. By its own estimates the planner reads whole tables once an organization owns most of their rows.
 */
export async function readAlongIndexes(tenant: Tenant): Promise<void> {
  await sql`
    select set_config(name, 'off', true)
      from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) as name
    union all select set_config('max_parallel_workers_per_gather', '0', true)`.execute(tenant.sql)
}
