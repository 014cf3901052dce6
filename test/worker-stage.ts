import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createEnqueue } from '#server/jobs/enqueue.ts'
import { connectPayments } from '#server/work/connections/connect-payments.ts'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { bareEnvironment } from './bare-environment.ts'
import { demoKey, type ImportStage, stageImport } from './import/stage-import.ts'

export type WorkerProcess = { child: ChildProcess; output: () => string; ended: Promise<unknown[]> }

/** The simulated Stripe on its own port. While it is held, requests for invoices get no answer. */
type Provider = { url: string; held: Promise<void>; release: () => void; close: () => void }

export type WorkerStage = {
  stage: ImportStage
  provider: Provider
  /** A real worker on the stage's database; resolves once it listens. */
  startProcess(more?: Record<string, string>): Promise<WorkerProcess>
  close(): Promise<void>
}

/** A connected organization, its provider over HTTP, and workers as processes. */
export async function stageWorkers(): Promise<WorkerStage> {
  const stage = await stageImport({ world: smallWorld() })
  stage.deps.enqueue = createEnqueue()
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  const provider = await serveProvider(stage)
  const workers: WorkerProcess[] = []
  return {
    stage,
    provider,
    startProcess: async (more) => {
      const worker = start({ stage, provider }, more)
      workers.push(worker)
      await Promise.race([
        once(worker.child, 'message'),
        worker.ended.then(() => Promise.reject(new Error(`the worker ended: ${worker.output()}`))),
      ])
      return worker
    },
    close: async () => {
      for (const { child, ended } of workers) {
        child.kill('SIGKILL')
        await ended
      }
      provider.close()
      await stage.close()
    },
  }
}

async function serveProvider({ simulator }: ImportStage): Promise<Provider> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.url?.startsWith('/v1/invoices')) {
      held.resolve()
      await released.promise
    }
    const headers = { authorization: incoming.headers.authorization ?? '' }
    const answer = await simulator.fetch(new Request(`http://stripe.test${incoming.url}`, { headers }))
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' })
    outgoing.end(await answer.text())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    held: held.promise,
    release: released.resolve,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function start(
  { stage, provider }: Pick<WorkerStage, 'stage' | 'provider'>,
  more: Record<string, string> = {},
): WorkerProcess {
  const child = spawn('node', ['src/cli/tributary.ts', 'worker'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...bareEnvironment,
      DATABASE_URL: stage.db.databaseUrl,
      SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
      STRIPE_API_URL: provider.url,
      HUBSPOT_API_URL: provider.url,
      HUBSPOT_APP_URL: provider.url,
      ...more,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += String(data)))
  return { child, output: () => output, ended: once(child, 'exit') }
}
