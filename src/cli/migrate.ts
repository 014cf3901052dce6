import { installQueues } from '#server/jobs/install-queues.ts'
import { migrate } from '#server/store/migrate.ts'

/** Brings the database of DATABASE_URL, named as its owner, up to date. Exit code 2 when the setting is missing, 1 on a failure. */
export async function migrateDatabase(): Promise<number> {
  const url = process.env['DATABASE_URL']
  if (!url) {
    process.stderr.write('DATABASE_URL: must be set to the PostgreSQL to migrate\n')
    return 2
  }
  try {
    const applied = await migrate(url)
    await installQueues(url)
    process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Already up to date\n')
    return 0
  } catch (error) {
    process.stderr.write(`Tributary cannot migrate: ${oneLine(error)}\n`)
    return 1
  }
}

/** What went wrong, without the lines that only help its author. */
function oneLine(error: unknown): string {
  // Where a host has several addresses, each has a reason of its own and the whole has none.
  const first = error instanceof AggregateError ? error.errors[0] : error
  return (first instanceof Error ? first.message : String(first)).replaceAll(/\s*\n\s*/g, ' ')
}
