import { afterEach, describe, expect, it } from 'vitest'
import { ruleBookVersion } from '#domain/mrr/receipts/rule-book-version.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { run as query } from '#test/database.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { inOrganization } from '../store/postgres/database.ts'
import { findRun } from '../store/runs/runs.ts'
import { connectPayments } from '../work/connections/connect-payments.ts'
import { startImport } from '../work/import/start-import.ts'
import { createEnqueue } from './enqueue.ts'
import { startWorker, type Worker } from './start-worker.ts'

let stage: ImportStage | undefined
const workers: Worker[] = []
const ended: string[] = []
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  await stage?.close()
  ended.length = 0
})

async function staged(options: Partial<Parameters<typeof stageImport>[0]> = {}): Promise<ImportStage> {
  stage = await stageImport({ world: smallWorld(), ...options })
  stage.deps.enqueue = createEnqueue()
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  return stage
}

async function work({ deps, db }: ImportStage): Promise<Worker> {
  const onRunEnd = ({ kind, status }: { kind: string; status: string }) =>
    void ended.push(`${kind} ${status}`)
  const worker = await startWorker(deps, { url: db.url, concurrency: 2, onRunEnd })
  workers.push(worker)
  return worker
}

function untilRun({ deps, organizationId }: ImportStage, runId: string, status: string) {
  return expect
    .poll(() => inOrganization(deps.database, organizationId, (tenant) => findRun(tenant, runId)), {
      interval: 100,
    })
    .toMatchObject({ status })
}

describe('a worker', () => {
  it('does an import that was started before it came up, and ends its job', async () => {
    const at = await staged()
    const { runId } = await startImport(at.deps, at.organizationId, { mode: 'historical' })
    await work(at)
    await untilRun(at, runId, 'completed')
    await expect
      .poll(() => query(at.db.ownerUrl, `select state from pgboss.job where name = 'import'`))
      .toEqual([{ state: 'completed' }])
    expect(ended).toEqual(['import completed'])
  })

  it('counts the ledgers that stand by older rules anew, at the next sweep of its clock', async () => {
    const at = await staged()
    const other = await at.another('Two')
    await at.importAll()
    await other.importAll()
    await query(at.db.ownerUrl, 'delete from pgboss.job')
    await query(at.db.ownerUrl, 'update payment_mirrors set rule_book_version = 0')
    await work(at)
    await query(
      at.db.ownerUrl,
      `insert into pgboss.job (name, data) values ('schedule', '{"name": "sweep"}')`,
    )
    const stand = () => query(at.db.ownerUrl, 'select rule_book_version as version from payment_mirrors')
    await expect
      .poll(stand, { interval: 100 })
      .toEqual([{ version: ruleBookVersion }, { version: ruleBookVersion }])
    await expect.poll(() => ended).toEqual(['recount completed', 'recount completed'])
  })

  it('gets no job of a run whose transaction was rolled back', async () => {
    const at = await staged()
    const enqueue = createEnqueue()
    at.deps.enqueue = async (tenant, run) => {
      await enqueue(tenant, run)
      throw new Error('the transaction fails')
    }
    await expect(startImport(at.deps, at.organizationId, { mode: 'historical' })).rejects.toThrow(/fails/)
    expect(await query(at.db.ownerUrl, 'select 1 from pgboss.job')).toEqual([])
  })

  it('takes over the job of a worker that died, also after the clock was put back', async () => {
    const at = await staged()
    const { runId } = await startImport(at.deps, at.organizationId, { mode: 'historical' })
    // A worker claimed the run and was killed: its job stays active without a new heartbeat.
    await at.claim(runId)
    await query(
      at.db.ownerUrl,
      `update pgboss.job set state = 'active', started_on = now() - interval '1 minute',
              heartbeat_on = now() - interval '11 seconds' where name = 'import'`,
    )
    const ahead = `now() + interval '2 days'`
    await query(at.db.ownerUrl, `update pgboss.queue set monitor_claim_on = ${ahead}, monitor_on = ${ahead}`)
    await work(at)
    await untilRun(at, runId, 'completed')
    const [row] = await query<{ attempt: number }>(at.db.ownerUrl, 'select attempt from runs')
    expect(row?.attempt).toBe(2)
  })

  it('leaves what is in hand to the next worker when it is stopped', async () => {
    const hold = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    let isHeld = false
    const at = await staged({
      around: (fetch) => async (request) => {
        if (isHeld && request.url.includes('/v1/invoices')) {
          reached.resolve()
          const { signal } = request
          await Promise.race([
            hold.promise,
            new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
          ])
        }
        return fetch(request)
      },
    })
    isHeld = true
    const { runId } = await startImport(at.deps, at.organizationId, { mode: 'historical' })
    const first = await work(at)
    await reached.promise
    await first.stop()
    await untilRun(at, runId, 'in_progress')
    isHeld = false
    hold.resolve()
    await work(at)
    await untilRun(at, runId, 'completed')
  })

  it('gives a run up after five errors that nobody expected', async () => {
    const at = await staged()
    const { runId } = await startImport(at.deps, at.organizationId, { mode: 'historical' })
    await query(at.db.ownerUrl, 'alter table customers rename to hidden')
    await work(at)
    await untilRun(at, runId, 'failed')
    await expect.poll(() => ended).toEqual(['import failed'])
    const [row] = await query(at.db.ownerUrl, 'select failure_count, error from runs')
    expect(row).toMatchObject({ failure_count: 5, error: expect.stringMatching(/on our side/) })
    await query(at.db.ownerUrl, 'alter table hidden rename to customers')
  })
})
