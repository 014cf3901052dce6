import type { Deps } from './deps.ts'
import { findUnknownMigrations } from './store/installation/pending-migrations.ts'

/**
 * Ends the process with one line when the database has migrations that this version does not know, because it
 * would read and write by outdated rules.
 */
export async function requireKnownMigrations({ database }: Pick<Deps, 'database'>): Promise<void> {
  const unknown = await findUnknownMigrations(database)
  if (unknown.length === 0) return
  process.stderr.write(`Tributary cannot go on: ${new NewerDatabase(unknown).message}\n`)
  process.exit(2)
}

/** Thrown where a command meets a database of a newer version, with what to do. */
export class NewerDatabase extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `the database has migrations this version does not know: ${unknown.join(', ')}. ` +
        'Start the version that it belongs to.',
    )
  }
}
