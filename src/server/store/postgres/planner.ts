import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from './database.ts'

/**
 * Makes the rest of the transaction use index scans and row-by-row joins, which pages of sorted lists need. Otherwise
 * the planner reads whole tables of a dominant organization. Returns the count of `count`, planned without this
 * setting.
 */
export async function readAlongIndexes(
  tenant: Tenant,
  count: RawBuilder<number> = sql<number>`0::bigint`,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
           (${count}) as count`.execute(tenant.sql)
  return rows[0]?.count ?? 0
}

/**
 * Makes the rest of the transaction read an index that has all columns of a sum, which takes half as long as the rows with
 * their receipts. Joins stay free.
 */
export async function preferIndexes(tenant: Tenant): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true)`.execute(tenant.sql)
}

/** How many rows the planner expects a statement to find. Use it only to choose between two ways that are both right. */
export async function estimateRows(tenant: Tenant, statement: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>`
    explain (format json) ${statement}`.execute(tenant.sql)
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
}

/**
 * Lets the rest of the transaction hash the ids of a million rows, which take about 100 MB. What does not fit is compared row
 * by row, for minutes.
 */
export async function allowLargeHash(tenant: Tenant): Promise<void> {
  await sql`select set_config('work_mem', '64MB', true)`.execute(tenant.sql)
}

/**
 * Runs a query that joins whole tables of an organization. Right after a first import the planner believes that they
 * are small and would compare all pairs of rows, which takes minutes from a few thousand rows on.
 */
export function withoutNestedLoops<T>(tenant: Tenant, query: () => Promise<T>): Promise<T> {
  return planned(tenant, { enable_nestloop: 'off' }, query)
}

/**
 * Runs a query that compares whole tables of an organization by hashes, so that each is read once in the order of its
 * pages. Along their keys, a million rows lie scattered and take several times as long.
 */
export function inOnePass<T>(tenant: Tenant, query: () => Promise<T>): Promise<T> {
  const hashes = {
    enable_seqscan: 'on',
    enable_hashjoin: 'on',
    enable_nestloop: 'off',
    enable_mergejoin: 'off',
  }
  return planned(tenant, hashes, query)
}

/** Plans one query with these settings. Afterwards those of the transaction are as before, whatever set them. */
async function planned<T>(
  tenant: Tenant,
  settings: Readonly<Record<string, string>>,
  query: () => Promise<T>,
): Promise<T> {
  const names = Object.keys(settings)
  const { rows: before } = await sql<{ name: string; value: string }>`
    select name, current_setting(name) as value from unnest(${names}::text[]) as name`.execute(tenant.sql)
  const set = (values: readonly { name: string; value: string }[]) =>
    sql`select ${sql.join(values.map(({ name, value }) => sql`set_config(${name}, ${value}, true)`))}`.execute(
      tenant.sql,
    )
  await set(Object.entries(settings).map(([name, value]) => ({ name, value })))
  const found = await query()
  // After a failure the transaction ends and the settings with it.
  await set(before)
  return found
}
