import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { run as query } from '#test/database.ts'
import { connectPayments } from '../work/connect-payments.ts'
import { demoKey, type ImportStage, stageImport } from '../work/import/test-support.ts'
import { startImport } from '../work/start-import.ts'
import { createEnqueue } from './enqueue.ts'

type WorkerProcess = { child: ChildProcess; output: () => string; ended: Promise<unknown[]> }

let stage: ImportStage
let provider: Provider
const workers: WorkerProcess[] = []
beforeEach(async () => {
  stage = await stageImport({ world: smallWorld() })
  stage.deps.enqueue = createEnqueue()
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  provider = await serveProvider()
})
afterEach(async () => {
  for (const { child, ended } of workers.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  provider.close()
  await stage.close()
})

type Provider = { url: string; close: () => void; held: Promise<void>; isHeld: boolean }

/** The simulated Stripe on a port of its own. While it is held, invoices are asked for and never answered. */
async function serveProvider(): Promise<Provider> {
  const held = Promise.withResolvers<void>()
  const served: Provider = { url: '', close: () => {}, held: held.promise, isHeld: true }
  const server: Server = createServer((incoming, outgoing) => {
    if (served.isHeld && incoming.url?.startsWith('/v1/invoices')) {
      held.resolve()
      return
    }
    const headers = { authorization: incoming.headers.authorization ?? '' }
    void stage.simulator
      .fetch(new Request(`http://stripe.test${incoming.url}`, { headers }))
      .then(async (answer) => {
        outgoing.writeHead(answer.status, { 'content-type': 'application/json' })
        outgoing.end(await answer.text())
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  served.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  served.close = () => {
    server.closeAllConnections()
    server.close()
  }
  return served
}

async function startProcess(more: Record<string, string> = {}): Promise<WorkerProcess> {
  const child = spawn('node', ['src/cli/tributary.ts', 'worker'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: stage.db.ownerUrl,
      SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
      STRIPE_API_URL: provider.url,
      HUBSPOT_API_URL: provider.url,
      HUBSPOT_APP_URL: provider.url,
      ...more,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += String(data)))
  const worker = { child, output: () => output, ended: once(child, 'exit') }
  workers.push(worker)
  await Promise.race([
    once(child, 'message'),
    worker.ended.then(() => Promise.reject(new Error(`the worker ended: ${output}`))),
  ])
  return worker
}

const start = () => startImport(stage.deps, stage.organizationId, { mode: 'historical' })
const readRun = async () =>
  (await query<{ status: string; attempt: number }>(stage.db.ownerUrl, 'select status, attempt from runs'))[0]
const untilRun = (expected: object, timeout: number) =>
  expect.poll(readRun, { timeout, interval: 50 }).toMatchObject(expected)

describe('the process of a worker', () => {
  it('when it is killed, another has its run within 15 seconds', async () => {
    await start()
    const first = await startProcess()
    await provider.held
    await startProcess()
    provider.isHeld = false
    first.child.kill('SIGKILL')
    await untilRun({ attempt: 2 }, 15_000)
    await untilRun({ status: 'completed' }, 15_000)
  }, 60_000)

  it('counts the run that ended in its hands, on a port for the inside alone', async () => {
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const address = probe.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    await new Promise((closed) => probe.close(closed))
    provider.isHeld = false
    await start()
    await startProcess({ METRICS_PORT: port })
    await untilRun({ status: 'completed' }, 30_000)
    const [run] = await query<{ processed_records: number }>(
      stage.db.ownerUrl,
      'select processed_records from runs',
    )
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    await expect
      .poll(metrics, { timeout: 10_000 })
      .toContain('tributary_run_duration_seconds_count{kind="import",status="completed"} 1')
    expect(await metrics()).toContain(
      `tributary_run_records_total{kind="import",outcome="processed"} ${run?.processed_records}`,
    )
    expect(run?.processed_records).toBeGreaterThan(0)
  }, 60_000)

  it('when it is asked to end, puts its run back and ends within ten seconds, without a complaint', async () => {
    await start()
    const worker = await startProcess()
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
  }, 60_000)
})
