import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { installQueues } from '#server/jobs/install-queues.ts'
import { migrate } from '#server/store/migrate.ts'
import { type Cluster, startCluster, temporaryFolder } from '../tools/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the cluster's maintenance database, as its superuser. */
    clusterUrl: string
  }
}

export const templateName = 'tributary_template'

/** One cluster for the whole run, with a migrated database that every test clones; nothing of it outlives the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = temporaryFolder('tributary-test-')
  const cluster = await startTestCluster(folder)
  project.provide('clusterUrl', cluster.url('postgres'))
  return async () => {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A cluster that trades safety against a power cut for speed, with the migrated template in it. */
export async function startTestCluster(folder: string): Promise<Cluster> {
  const cluster = await startCluster({
    folder: join(folder, 'postgres'),
    password: 'test',
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  })
  const client = new pg.Client({ connectionString: cluster.url('postgres') })
  await client.connect()
  await client.query(`create database ${templateName}`)
  await client.end()
  await migrate(cluster.url(templateName))
  await installQueues(cluster.url(templateName))
  return cluster
}
