import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { stageWorkers, type WorkerStage } from '#test/worker-stage.ts'
import { twoHoursAhead } from '#test/wrong-clock.ts'
import { startImport } from '../work/import/start-import.ts'

let workers: WorkerStage
let stage: WorkerStage['stage']
let provider: WorkerStage['provider']
beforeEach(async () => {
  workers = await stageWorkers()
  ;({ stage, provider } = workers)
})
afterEach(() => workers.close())

const start = () => startImport(stage.deps, stage.organizationId, { mode: 'historical' })
const readRun = async () =>
  (await query<{ status: string; attempt: number }>(stage.db.ownerUrl, 'select status, attempt from runs'))[0]
const untilRun = (expected: object, timeout: number) =>
  expect.poll(readRun, { timeout, interval: 50 }).toMatchObject(expected)

describe('the process of a worker', () => {
  it('when it is killed, another has its run within 15 seconds', async () => {
    await start()
    const first = await workers.startProcess()
    await provider.held
    await workers.startProcess()
    provider.release()
    first.child.kill('SIGKILL')
    await untilRun({ attempt: 2 }, 15_000)
    await untilRun({ status: 'completed' }, 15_000)
  })

  it('counts the run that ended in its hands, on a port for the inside alone', async () => {
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const address = probe.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    await new Promise((closed) => probe.close(closed))
    provider.release()
    await start()
    await workers.startProcess({ METRICS_PORT: port })
    await untilRun({ status: 'completed' }, 30_000)
    const [run] = await query<{ processed_records: number }>(
      stage.db.ownerUrl,
      'select processed_records from runs',
    )
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    await expect
      .poll(metrics)
      .toContain('tributary_run_duration_seconds_count{kind="import",status="completed"} 1')
    expect(await metrics()).toContain(
      `tributary_run_records_total{kind="import",outcome="processed"} ${run?.processed_records}`,
    )
    expect(run?.processed_records).toBeGreaterThan(0)
  })

  it('whose clock is wrong dates what it does by the database', async () => {
    provider.release()
    await start()
    const worker = await workers.startProcess(twoHoursAhead)
    await untilRun({ status: 'completed' }, 30_000)
    const [run] = await query<{ off: number; is_in_order: boolean }>(
      stage.db.ownerUrl,
      `select greatest(abs(extract(epoch from now() - completed_at)), abs(extract(epoch from now() - claimed_at)),
                       (select max(abs(extract(epoch from now() - created_at))) from run_logs))::int as off,
              claimed_at < completed_at as is_in_order from runs`,
    )
    expect(run?.off).toBeLessThan(60)
    expect(run?.is_in_order).toBe(true)
    expect(worker.output()).toContain("the database's is used")
  })

  it('of an older version than its database is not started, and one that runs ends', async () => {
    provider.release()
    const worker = await workers.startProcess()
    await query(stage.db.ownerUrl, `insert into migrations (name) values ('9999_later.sql')`)
    expect(await worker.ended).toEqual([2, null])
    expect(worker.output()).toContain('does not know: 9999_later.sql. Start the version that it belongs to.')
    await start()
    await expect(workers.startProcess()).rejects.toThrow(/does not know: 9999_later\.sql/)
    expect(await readRun()).toEqual({ status: 'in_progress', attempt: 0 })
  })

  it('when it is asked to end, puts its run back and ends within ten seconds, without a complaint', async () => {
    await start()
    const worker = await workers.startProcess()
    await provider.held
    const askedAt = performance.now()
    worker.child.kill('SIGTERM')
    expect(await worker.ended).toEqual([0, null])
    expect(performance.now() - askedAt).toBeLessThan(10_000)
    expect(worker.output()).not.toMatch(/"level":(40|50|60)|"level":"(warn|error|fatal)"/)
    expect(await query(stage.db.ownerUrl, `select state from pgboss.job where name = 'import'`)).toEqual([
      { state: 'retry' },
    ])
    expect(await readRun()).toMatchObject({ status: 'in_progress', attempt: 1 })
  })
})
