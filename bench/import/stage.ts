/**
 * The environment of the import bench: PostgreSQL as the product starts it and a simulated Stripe, in separate processes.
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { installQueues } from '#server/jobs/install-queues.ts'
import { asOwner } from '#server/store/installation/as-owner.ts'
import { migrate } from '#server/store/installation/migrate.ts'
import { startCluster, temporaryFolder } from '../../tools/postgres.ts'

export type BenchAccount = { customers: number; months: number; laps: number }
export type Read = { kind: string; objects: number; pages: number; nestedPages: number }[]

export type BenchStage = Awaited<ReturnType<typeof openStage>>

export async function openStage(account: BenchAccount) {
  const folder = temporaryFolder('tributary-bench-')
  const cluster = await startCluster({ folder: join(folder, 'postgres'), password: 'bench' })
  const { customers, months, laps } = account
  const server = fork(join(import.meta.dirname, 'page-server.ts'), [customers, months, laps].map(String))
  const [{ port }] = (await once(server, 'message')) as [{ port: number }]
  const stripeUrl = `http://127.0.0.1:${port}`
  return {
    cluster,
    stripeUrl,
    /** Requests since the last call; from now on, each answer takes `delayMs`. */
    countRequests: async (delayMs: number): Promise<number> => {
      const answer = await fetch(`${stripeUrl}/_count?delay=${delayMs}`)
      return ((await answer.json()) as { requestCount: number }).requestCount
    },
    /** Seconds that the SDK alone needs to read everything: one list after the other, or all lists in parallel. */
    readAll: async (order: 'in-turn' | 'beside'): Promise<{ seconds: number; read: Read }> => {
      const child = fork(join(import.meta.dirname, 'read-by-sdk.ts'), [stripeUrl, order])
      const [answer] = (await once(child, 'message')) as [{ seconds: number; read: Read }]
      return answer
    },
    close: async () => {
      server.kill()
      await cluster.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type BenchDatabase = { url: string; organizationId: number; drop: () => Promise<void> }

/**
 * A migrated database with one organization. Dropping it afterwards spares the next measurement its writes and vacuums.
 */
export async function makeDatabase({ cluster }: BenchStage): Promise<BenchDatabase> {
  const name = `bench_${randomUUID().replaceAll('-', '')}`
  await query(cluster.url('postgres'), `create database ${name}`)
  const url = cluster.url(name)
  await migrate(url)
  await installQueues(url)
  const [row] = await query(
    url,
    `insert into "organization" (name, slug, "createdAt") values ('Bench', 'bench', now()) returning id`,
  )
  const drop = async () => {
    await query(cluster.url('postgres'), `drop database ${name} with (force)`)
    await query(cluster.url('postgres'), 'checkpoint')
  }
  return { url, organizationId: Number(row?.['id']), drop }
}

export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  return await asOwner(url, 'bench', async (client) => {
    return (await client.query(text)).rows
  })
}
