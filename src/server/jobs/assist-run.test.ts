import { afterEach, describe, expect, it } from 'vitest'
import { inOrganization, openDatabase } from '#server/store/postgres/database.ts'
import { run as query } from '#test/database.ts'
import { demoKey, generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { sendBy } from '#test/providers/send-by.ts'
import type { Deps } from '../deps.ts'
import { createStripePayments } from '../providers/stripe/create-stripe-payments.ts'
import { connectPayments } from '../work/connections/connect-payments.ts'
import { startImport } from '../work/import/start-import.ts'
import { createEnlist, createEnqueue } from './enqueue.ts'
import { startWorker, type Worker } from './start-worker.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function staged(): Promise<ImportStage> {
  const stage = await stageImport({ world: generatedWorld(24), pageSize: 4 })
  ends.push(stage.close)
  stage.deps.enqueue = createEnqueue()
  stage.deps.enlist = createEnlist()
  stage.deps.sleep = (ms) => new Promise((next) => setTimeout(next, ms / 10))
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  return stage
}

/** A worker with its own connection pool, as in another process; `hold` may delay its requests. */
async function addWorker(stage: ImportStage, hold: (url: string) => Promise<void> = async () => {}) {
  const database = openDatabase({
    url: stage.db.url,
    poolSize: 10,
    statementTimeoutMs: 30_000,
    onError: () => {},
  })
  ends.push(() => database.destroy())
  const deps: Deps = {
    ...stage.deps,
    database,
    payments: createStripePayments({
      send: sendBy(async (request) => {
        await hold(request.url)
        return stage.simulator.fetch(request)
      }),
      apiUrl: 'http://stripe.test',
      now: stage.deps.now,
      sleep: async () => {},
      paces: null,
      pageSize: 4,
    }),
  }
  const worker: Worker = await startWorker(deps, { url: stage.db.url, concurrency: 2 })
  ends.push(worker.stop)
}

const statuses = ({ db }: ImportStage) =>
  query<{ organization_id: number; status: string }>(
    db.ownerUrl,
    'select organization_id, status from runs order by organization_id',
  )

describe('a call for help', () => {
  it('that is repeated, as when the run is taken over, adds no jobs to those that stand', async () => {
    const stage = await staged()
    const enlist = () =>
      inOrganization(stage.deps.database, stage.organizationId, (tenant) => stage.deps.enlist(tenant, 'run'))
    await enlist()
    await enlist()
    expect(
      await query(stage.db.ownerUrl, `select count(*)::int as count from pgboss.job where name = 'assist'`),
    ).toEqual([{ count: 4 }])
  })
})

describe('workers', () => {
  // That several readers share the lists is tested beside the import (share-import); here it is their jobs.
  it('work on one import together, and end their jobs with it', async () => {
    const stage = await staged()
    await addWorker(stage)
    await addWorker(stage)
    const { runId } = await startImport(stage.deps, stage.organizationId, { mode: 'historical' })
    await expect.poll(() => statuses(stage), { interval: 100 }).toMatchObject([{ status: 'completed' }])
    expect(runId).not.toBe('')
    await expect
      .poll(() => query(stage.db.ownerUrl, `select distinct state from pgboss.job where name = 'assist'`), {
        interval: 100,
      })
      .toEqual([{ state: 'completed' }])
    const alone = await stageImport({ world: generatedWorld(24), pageSize: 4 })
    ends.push(alone.close)
    await alone.importAll()
    expect(await stage.dump()).toEqual(await alone.dump())
  })

  it('do the import of one organization while that of another stands still', async () => {
    const stage = await staged()
    const other = await stage.another('Two')
    await connectPayments(stage.deps, other.organizationId, demoKey)
    const opened = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    let isFirst = true
    // The first organization's account does not answer, so its import occupies every place it can get.
    await addWorker(stage, async (url) => {
      if (!isFirst || !url.includes('/v1/invoices')) return
      reached.resolve()
      await opened.promise
    })
    await startImport(stage.deps, stage.organizationId, { mode: 'historical' })
    await reached.promise
    isFirst = false
    await startImport(stage.deps, other.organizationId, { mode: 'historical' })
    await expect
      .poll(() => statuses(stage), { interval: 100 })
      .toMatchObject([{ status: 'in_progress' }, { status: 'completed' }])
    opened.resolve()
    await expect
      .poll(() => statuses(stage), { interval: 100 })
      .toMatchObject([{ status: 'completed' }, { status: 'completed' }])
  })
})
