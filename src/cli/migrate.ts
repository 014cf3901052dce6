import { installQueues } from '#server/jobs/install-queues.ts'
import { migrate } from '#server/store/installation/migrate.ts'
import { asOwner } from './as-owner.ts'

/** Migrates the database of DATABASE_URL. A newer one is refused under the lock of the migrations. */
export function migrateDatabase(): Promise<number> {
  const work = async (url: string) => {
    const applied = await migrate(url)
    await installQueues(url)
    process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Already up to date\n')
  }
  return asOwner('migrate', work, 'left to the work')
}
