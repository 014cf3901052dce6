import { installQueues } from '#server/jobs/install-queues.ts'
import { migrate } from '#server/store/migrate.ts'

/** Brings the database of DATABASE_URL, named as its owner, up to date. Exit code 2 when the setting is missing. */
export async function migrateDatabase(): Promise<number> {
  const url = process.env['DATABASE_URL']
  if (!url) {
    process.stderr.write('DATABASE_URL: must be set to the PostgreSQL to migrate\n')
    return 2
  }
  const applied = await migrate(url)
  await installQueues(url)
  process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Already up to date\n')
  return 0
}
