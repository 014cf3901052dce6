import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Resolves when the database answers, throws when it does not. */
export async function pingDatabase(database: Database): Promise<void> {
  await sql`select 1`.execute(database)
}
