import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import type { DB } from './tables.ts'

/** After at least this many rows in one write, statistics are refreshed. */
export const manyRows = 500

/**
 * Refreshes the planner's statistics after a large write; autovacuum runs once a minute, and until then plans treat
 * the tables as empty. Skips tables that are locked; PostgreSQL 15 and 16, where only owners may do this, merely warn.
 */
export async function refreshStatistics(database: Database, tables: readonly TableName[]): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // A sample of six thousand rows per table is enough to distinguish large tables from small ones.
    await sql`select set_config('default_statistics_target', '20', true)`.execute(transaction)
    for (const table of tables) await sql`analyze (skip_locked) ${columnsOf(table)}`.execute(transaction)
  })
}

/**
 * The columns by which an import joins and searches while it fills the tables. Sampling all columns and indexed texts
 * takes several times as long; autovacuum still does the rest later.
 */
const searched: { readonly [T in TableName]?: readonly (keyof DB[T] & string)[] } = {
  customers: ['organization_id', 'id', 'is_rebuild_due', 'created_at'],
  subscriptions: ['organization_id', 'id', 'customer_id', 'status', 'created_at', 'quantity'],
  invoices: ['organization_id', 'id', 'customer_id', 'subscription_id', 'created_at'],
}

/** A table, or some of its columns, in the syntax of ANALYZE. */
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
