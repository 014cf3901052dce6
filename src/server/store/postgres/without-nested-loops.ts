import { sql } from 'kysely'
import type { Tenant } from './database.ts'

/**
 * Runs a query that joins whole tables of an organization. Right after a first import the planner believes them to be
 * small and would compare every row with every other, which takes minutes from a few thousand rows on.
 */
export async function withoutNestedLoops<T>(tenant: Tenant, query: () => Promise<T>): Promise<T> {
  await sql`select set_config('enable_nestloop', 'off', true)`.execute(tenant.sql)
  const found = await query()
  // After a failure the transaction is over, and the setting with it.
  await sql`select set_config('enable_nestloop', 'on', true)`.execute(tenant.sql)
  return found
}
