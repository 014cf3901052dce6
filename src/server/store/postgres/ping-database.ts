import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Resolves if the database answers, throws if it does not. */
export async function pingDatabase(database: Database): Promise<void> {
  await sql`select 1`.execute(database)
}

/** The time of the database's clock. */
export async function readDatabaseTime(database: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database)
  return rows[0]?.now ?? new Date(Number.NaN)
}
