import { installQueues } from '#server/jobs/install-queues.ts'
import { migrate } from '#server/store/installation/migrate.ts'
import { asOwner } from './as-owner.ts'

/** Migrates the database of DATABASE_URL. */
export function migrateDatabase(): Promise<number> {
  return asOwner('migrate', async (url) => {
    const applied = await migrate(url)
    await installQueues(url)
    process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Already up to date\n')
  })
}
