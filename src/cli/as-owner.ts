import { applicationUrl } from '#server/store/installation/application-role.ts'
import { type Database, openDatabase } from '#server/store/postgres/database.ts'

/** Does something to the database of DATABASE_URL as its owner. Exit code 2 without the setting, 1 after one line of why. */
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

/** What went wrong, without the lines that only help its author. */
function oneLine(error: unknown): string {
  // Where a host has several addresses, each has a reason of its own and the whole has none.
  const first = error instanceof AggregateError ? error.errors[0] : error
  return (first instanceof Error ? first.message : String(first)).replaceAll(/\s*\n\s*/g, ' ')
}

/** The same with a connection as the application's role, which is all that the data needs. */
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
