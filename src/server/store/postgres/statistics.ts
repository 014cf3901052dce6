import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import type { DB } from './tables.ts'

/** From so many rows on, written in one go, the planner is told of them. */
export const manyRows = 500

/**
 * Lets the planner look at tables anew after much was written to them. Its own rounds come once a minute, and until then
 * it plans joins over a fresh import as if the tables were empty. A table that is being looked at already is left out,
 * and an older PostgreSQL, which leaves this to the owner, merely warns.
 */
export async function refreshStatistics(database: Database, tables: readonly TableName[]): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // Of each table a sample of six thousand rows, which is enough to tell a large one from a small one.
    await sql`select set_config('default_statistics_target', '20', true)`.execute(transaction)
    for (const table of tables) await sql`analyze (skip_locked) ${columnsOf(table)}`.execute(transaction)
  })
}

/**
 * What an import joins and searches by while it fills these tables: to sample all their columns, and what is indexed of them
 * as text, takes several times as long. The rest is left to PostgreSQL's own next round, which this does not put off.
 */
const searched: { readonly [T in TableName]?: readonly (keyof DB[T] & string)[] } = {
  customers: ['organization_id', 'id', 'is_rebuild_due', 'created_at'],
  subscriptions: ['organization_id', 'id', 'customer_id', 'status', 'created_at', 'quantity'],
  invoices: ['organization_id', 'id', 'customer_id', 'subscription_id', 'created_at'],
}

/** A table, or some columns of it, as ANALYZE takes them. */
function columnsOf(table: TableName): RawBuilder<unknown> {
  const columns = searched[table]?.map((column) => sql.ref(column))
  return columns ? sql`${sql.table(table)} (${sql.join(columns)})` : sql.table(table)
}

type TableName =
  | 'customers'
  | 'subscriptions'
  | 'invoices'
  | 'invoice_payments'
  | 'events'
  | 'matches'
  | 'crm_companies'
  | 'crm_contacts'
  | 'crm_links'
  | 'crm_associations'
