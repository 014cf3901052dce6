import { NewerDatabase } from '#server/require-known-migrations.ts'
import { ConfigError } from '#server/settings/config-error.ts'
import { readDatabaseUrl } from '#server/settings/database-url.ts'
import { applicationUrl } from '#server/store/installation/application-role.ts'
import { findNewerMigrations } from '#server/store/installation/inspect-database.ts'
import { type Database, openDatabase } from '#server/store/postgres/database.ts'
import { oneLine } from './one-line.ts'

/** Whether a database of a newer version is refused before the work, or by the work itself. */
type Newer = 'refused' | 'left to the work'

/**
 * Works on the database of DATABASE_URL as its owner. Returns exit code 2 after one line about the setting or about a
 * newer version, 1 after one line with another reason.
 */
export async function asOwner(
  doing: string,
  work: (url: string) => Promise<void>,
  newer: Newer = 'refused',
): Promise<number> {
  try {
    const url = readDatabaseUrl(process.env['DATABASE_URL'])
    const unknown = newer === 'refused' ? await findNewerMigrations(url) : []
    if (unknown.length > 0) throw new NewerDatabase(unknown)
    await work(url)
    return 0
  } catch (error) {
    process.stderr.write(`Tributary cannot ${doing}: ${oneLine(error)}\n`)
    return error instanceof ConfigError || error instanceof NewerDatabase ? 2 : 1
  }
}

/** The same with a connection as the application's role, whose rights are enough for the data. */
export function asApplication(
  doing: string,
  work: (database: Database) => Promise<void>,
  newer?: Newer,
): Promise<number> {
  const asRole = async (ownerUrl: string) => {
    const database = openDatabase({
      url: await applicationUrl(ownerUrl),
      poolSize: 1,
      statementTimeoutMs: 30_000,
      onError: () => {},
    })
    try {
      await work(database)
    } finally {
      await database.destroy()
    }
  }
  return asOwner(doing, asRole, newer)
}
