import { applicationUrl } from '#server/store/installation/application-role.ts'
import { type Database, openDatabase } from '#server/store/postgres/database.ts'

/**
 * Works on the database of DATABASE_URL as its owner. Returns exit code 2 without the setting, 1 after one line with the
 * reason.
 */
export async function asOwner(doing: string, work: (url: string) => Promise<void>): Promise<number> {
  const url = process.env['DATABASE_URL']
  if (!url) {
    process.stderr.write('DATABASE_URL: must name the PostgreSQL, as the owner of its database\n')
    return 2
  }
  try {
    await work(url)
    return 0
  } catch (error) {
    process.stderr.write(`Tributary cannot ${doing}: ${oneLine(error)}\n`)
    return 1
  }
}

/** The error message without the lines that only help a developer. */
function oneLine(error: unknown): string {
  // For a host with several addresses, only the inner errors carry a message.
  const first = error instanceof AggregateError ? error.errors[0] : error
  return (first instanceof Error ? first.message : String(first)).replaceAll(/\s*\n\s*/g, ' ')
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
