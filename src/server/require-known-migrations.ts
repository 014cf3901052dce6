import type { Deps } from './deps.ts'
import { findUnknownMigrations } from './store/installation/pending-migrations.ts'

/**
 * Ends the process with one line when the database has migrations that this version does not know, because it
 * would read and write by outdated rules.
 */
export async function requireKnownMigrations({ database }: Pick<Deps, 'database'>): Promise<void> {
  const unknown = await findUnknownMigrations(database)
  if (unknown.length === 0) return
  process.stderr.write(
    `Tributary cannot go on: the database has migrations this version does not know: ${unknown.join(', ')}. ` +
      'Start the version that it belongs to.\n',
  )
  process.exit(2)
}
