import { ConfigError } from '#server/settings/config-error.ts'
import { readDatabaseUrl } from '#server/settings/database-url.ts'
import { applicationUrl } from '#server/store/installation/application-role.ts'
import { type Database, openDatabase } from '#server/store/postgres/database.ts'
import { oneLine } from './one-line.ts'

/**
 * Works on the database of DATABASE_URL as its owner. Returns exit code 2 after one line about the setting, 1
 * after one line with another reason.
 */
export async function asOwner(doing: string, work: (url: string) => Promise<void>): Promise<number> {
  try {
    await work(readDatabaseUrl(process.env['DATABASE_URL']))
    return 0
  } catch (error) {
    process.stderr.write(`Tributary cannot ${doing}: ${oneLine(error)}\n`)
    return error instanceof ConfigError ? 2 : 1
  }
}

/** The same with a connection as the application's role, whose rights are enough for the data. */
export function asApplication(doing: string, work: (database: Database) => Promise<void>): Promise<number> {
  return asOwner(doing, async (ownerUrl) => {
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
  })
}
