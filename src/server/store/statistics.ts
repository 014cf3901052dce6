import { sql } from 'kysely'
import type { Database } from './database.ts'

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
    for (const table of tables) await sql`analyze (skip_locked) ${sql.table(table)}`.execute(transaction)
  })
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
