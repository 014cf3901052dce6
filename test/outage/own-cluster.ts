import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { installQueues } from '#server/jobs/install-queues.ts'
import { migrate } from '#server/store/installation/migrate.ts'
import { createOwnedDatabase } from '../../tools/owned-database.ts'
import { type Cluster, startCluster, temporaryFolder } from '../../tools/postgres.ts'

/** A separate PostgreSQL for a test to kill. Acknowledged data survives, as in production. */
export type OwnCluster = {
  /** A new, migrated database; its addresses for its owner, and for the superuser who sees all rows. */
  newDatabase(name: string): Promise<{ databaseUrl: string; ownerUrl: string }>
  /** Stops it at once, like `pg_ctl stop -m immediate` or a kill, and restarts it; resolves when it answers. */
  restart(how: 'SIGQUIT' | 'SIGKILL'): Promise<void>
  close(): Promise<void>
}

export async function openOwnCluster(): Promise<OwnCluster> {
  const folder = temporaryFolder('tributary-outage-')
  const options = {
    folder: join(folder, 'postgres'),
    password: 'test',
    // A killed process loses nothing that the kernel has received; only a power cut would need fsync.
    settings: { fsync: 'off', full_page_writes: 'off' },
  }
  let cluster: Cluster = await startCluster(options)
  return {
    async newDatabase(name) {
      const url = await createOwnedDatabase(cluster, name)
      await migrate(url)
      await installQueues(url)
      return { databaseUrl: url, ownerUrl: cluster.url(name) }
    },
    async restart(how) {
      const { port, process } = cluster
      const ended = new Promise((done) => process.once('exit', done))
      process.kill(how)
      await ended
      cluster = await startAgain({ ...options, port })
      if (cluster.port !== port) throw new Error('PostgreSQL came back at another port.')
    },
    async close() {
      await cluster.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** After a kill, its children need a moment to notice, and hold memory that a new server refuses to share. */
async function startAgain(options: Parameters<typeof startCluster>[0]): Promise<Cluster> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startCluster(options)
    } catch (error) {
      if (tries === 50) throw error
      await new Promise((next) => setTimeout(next, 50))
    }
  }
}
