import type { Deps } from './deps.ts'
import { findUnknownMigrations } from './store/installation/pending-migrations.ts'

/**
 * Ends the process, in one line, where the database has been brought further than this version knows: it would read and
 * write by rules that hold no more.
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
