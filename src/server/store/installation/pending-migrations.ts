import type { Database } from '../postgres/database.ts'
import { listMigrationNames } from './migrate.ts'

/** The migrations that the code has and the database lacks, in order. Throws if the database does not answer. */
export async function findPendingMigrations(database: Database): Promise<string[]> {
  const { names, applied } = await bothSides(database)
  return names.filter((name) => !applied.includes(name))
}

/** The migrations that the database has and the code lacks, because a newer version applied them. */
export async function findUnknownMigrations(database: Database): Promise<string[]> {
  const { names, applied } = await bothSides(database)
  return applied.filter((name) => !names.includes(name))
}

async function bothSides(database: Database): Promise<{ names: string[]; applied: string[] }> {
  const [names, rows] = await Promise.all([
    listMigrationNames(),
    database.selectFrom('migrations').select('name').orderBy('name').execute(),
  ])
  return { names, applied: rows.map(({ name }) => name) }
}
