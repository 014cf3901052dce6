import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installQueues } from '#server/jobs/install-queues.ts'
import { applicationUrl } from '#server/store/installation/application-role.ts'
import { migrate } from '#server/store/installation/migrate.ts'
import { createOwnedDatabase } from '../tools/owned-database.ts'
import { type Cluster, startCluster, temporaryFolder } from '../tools/postgres.ts'
import { memory } from './memory.ts'
import { templateName } from './template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the cluster's maintenance database, for its superuser. */
    clusterUrl: string
    /** Address of the template for its owner, who is no superuser. */
    templateUrl: string
    /** Address of the template for the application's role. */
    applicationUrl: string
  }
}

/** One cluster for the whole run, with a migrated database that every test clones; all of it is removed after the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = temporaryFolder('tributary-test-', memory())
  const { cluster, templateUrl } = await startTestCluster(folder, steady)
  project.provide('clusterUrl', cluster.url('postgres'))
  project.provide('templateUrl', templateUrl)
  project.provide('applicationUrl', await applicationUrl(templateUrl))
  return async () => {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Settings that trade safety against a power cut for speed, and keep the log small, as it may lie in memory. */
const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  io_method: 'sync',
  max_connections: '300',
}

/** No autovacuum: when it comes depends on the load, and with it the plans that a test sees. */
const steady = { autovacuum: 'off' }

/** A cluster with the migrated template, for tests alone; `settings` are added to the fast ones. */
export async function startTestCluster(
  folder: string,
  settings: Record<string, string> = {},
): Promise<{ cluster: Cluster; templateUrl: string }> {
  const cluster = await startCluster({
    folder: join(folder, 'postgres'),
    password: randomBytes(24).toString('base64url'),
    settings: { ...fastSettings, ...settings },
    isOnSocket: process.platform !== 'win32',
  })
  const templateUrl = await createOwnedDatabase(cluster, templateName)
  await migrate(templateUrl)
  await installQueues(templateUrl)
  return { cluster, templateUrl }
}
