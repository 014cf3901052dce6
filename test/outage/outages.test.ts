import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../database.ts'
import { seeded } from '../safety/chance.ts'
import { drive } from './drive.ts'
import { findLosses, startLoad } from './load.ts'
import { differencesOf, outcomeOf } from './outcome.ts'
import { type OwnCluster, openOwnCluster } from './own-cluster.ts'
import { type OutageProduct, startOutageProduct } from './product.ts'

/** `npm run prove -- outages` uses more of both. */
const restarts = Number(process.env['OUTAGE_RESTARTS'] ?? 3)
const kills = Number(process.env['OUTAGE_KILLS'] ?? 3)
const victims = ['worker', 'database', 'server'] as const
const seed = Number(process.env['OUTAGE_SEED'] ?? 1)
const healthyWithinMs = 5_000
const testTimeoutMs = 600_000

let cluster: OwnCluster
let perfect: Record<string, string[]>
const begunAt = new Date()
const products: OutageProduct[] = []

async function open(name: string): Promise<OutageProduct> {
  const product = await startOutageProduct(await cluster.newDatabase(name))
  products.push(product)
  return product
}

beforeAll(async () => {
  cluster = await openOwnCluster()
  const product = await open('perfect')
  await drive(product, 'import')
  await drive(product, 'push')
  perfect = await outcomeOf(product, begunAt)
  await product.close()
}, testTimeoutMs)
afterAll(async () => {
  for (const product of products) await product.close()
  await cluster?.close()
})

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** The time until the server reports that it is ready. */
async function untilReady({ origin, server }: OutageProduct): Promise<number> {
  const from = performance.now()
  for (;;) {
    const answer = await fetch(`${origin}/readyz`).catch(() => null)
    if (answer?.status === 200) return performance.now() - from
    if (performance.now() - from > 10 * healthyWithinMs) {
      const alive = server.isAlive() ? 'alive' : 'dead'
      throw new Error(`not ready again, ${alive}: ${server.output().slice(-5_000)}`)
    }
    await pause(10)
  }
}

describe('a database that is brought down at once and comes back', () => {
  it(
    `${restarts} times under load: 503 at worst, nothing lost, healthy within 5 s`,
    async () => {
      const product = await open('restarted')
      const chance = seeded(seed)
      const load = startLoad(product)
      let isOver = false
      let imports = 0
      const importing = (async () => {
        for (; !isOver; imports += 1) await drive(product, 'import')
      })()
      importing.catch(() => {})
      const waits: number[] = []
      for (let cycle = 0; cycle < restarts; cycle += 1) {
        await pause(chance() * 300)
        await cluster.restart('SIGQUIT')
        waits.push(await untilReady(product))
      }
      isOver = true
      const report = await load.stop()
      expect(report.wrong).toEqual([])
      await importing
      expect(Math.max(...waits)).toBeLessThan(healthyWithinMs)
      expect(await findLosses(product.ownerUrl, report)).toEqual([])
      expect((await product.visit('/api/settings/sync')).body).toMatchObject({
        syncSettings: { autoCreateContacts: report.acknowledged.autoCreateContacts },
      })
      expect(product.server.isAlive() && product.worker.isAlive()).toBe(true)
      expect(imports).toBeGreaterThan(0)
      // The load must meet outages and also do work between them, or it proves nothing.
      expect(report.refused).toBeGreaterThan(restarts)
      expect(report.acknowledged.cancelled.length).toBeGreaterThan(restarts / 3)
      await product.visit('/api/settings/sync', { syncSettings: { autoCreateContacts: true } }, 'PUT')
      await drive(product, 'push')
      expect(differencesOf(await outcomeOf(product, begunAt), perfect)).toEqual([])
      await product.close()
      process.stdout.write(
        `${restarts} restarts: ${report.answers} answers, ${report.refused} of them 503, 0 wrong, ${imports} imports, ` +
          `${report.acknowledged.invited.length + report.acknowledged.cancelled.length} acknowledged changes, ` +
          `ready again within ${Math.ceil(Math.max(...waits))} ms\n`,
      )
    },
    testTimeoutMs,
  )
})

describe('server, worker and database that are killed', () => {
  it(
    `${kills} times at random during import and push leave what a perfect run leaves`,
    async () => {
      const product = await open('killed')
      const chance = seeded(seed + 1)
      const killed = { server: 0, worker: 0, database: 0 }
      let isKilling = true
      const killing = (async () => {
        for (let count = 0; count < kills; count += 1) {
          await pause(50 + chance() * 700)
          const victim = victims[count % victims.length] ?? 'worker'
          killed[victim] += 1
          await (victim === 'database' ? cluster.restart('SIGKILL') : product[victim].killAndStart())
        }
      })().finally(() => {
        isKilling = false
      })
      let rounds = 0
      for (; isKilling; rounds += 1) {
        await drive(product, 'import')
        await drive(product, 'push')
      }
      await killing
      expect(differencesOf(await outcomeOf(product, begunAt), perfect)).toEqual([])
      expect(await run(product.ownerUrl, `select id from runs where status <> 'completed'`)).toEqual([])
      await product.close()
      process.stdout.write(`killed ${JSON.stringify(killed)} during ${rounds} rounds of import and push\n`)
    },
    testTimeoutMs,
  )
})
