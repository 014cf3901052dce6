import type { Database } from './database.ts'
import { listMigrationNames } from './migrate.ts'

/** The migrations that the code has and the database lacks, in order. Throws when the database does not answer. */
export async function findPendingMigrations(database: Database): Promise<string[]> {
  const [names, applied] = await Promise.all([
    listMigrationNames(),
    database.selectFrom('migrations').select('name').execute(),
  ])
  const known = new Set(applied.map(({ name }) => name))
  return names.filter((name) => !known.has(name))
}
