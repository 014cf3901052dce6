/** Runs one import from start to end with a given number of worker processes. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { createEnlist, createEnqueue } from '#server/jobs/enqueue.ts'
import { openProcess } from '#server/process.ts'
import { connectPayments } from '#server/work/connections/connect-payments.ts'
import { type ImportRequest, startImport } from '#server/work/import/start-import.ts'
import { type BenchStage, makeDatabase } from './stage.ts'

const key = 'sk_test_tributary_demo'
/** Each poll slows the measured import, so we poll often only near the end, for an exact time. */
const lookEveryMs = { reading: 100, after: 25 }
/** This query reads all subscriptions; more often, it would take the database from the import. */
const lookForCurrentEveryMs = 500

/** `perSecond`: requests per endpoint; 0 means as fast as possible. */
export type Conditions = { workers: number; perSecond: number; delayMs: number; endsWithCurrent?: boolean }

export type Measured = Conditions & {
  /** Until everything is stored and rebuilt into events. */
  seconds: number
  /** The time for reading the lists only. */
  readSeconds: number
  /**
   * Until every subscription had its figures; null without a limit on requests, because polling for it slows the import.
   */
  currentSeconds: number | null
  requests: number
  /** Requests of a second import right afterwards, when nothing changed in the account. */
  secondRequests: number
  /** Memory of the worker process that used the most. */
  rssMb: number
}

/** `look` sees the database that the imports leave, at its address, before it is removed. */
export async function measureImport(
  stage: BenchStage,
  conditions: Conditions,
  look?: (url: string) => Promise<void>,
): Promise<Measured> {
  const { url, organizationId, drop } = await makeDatabase(stage)
  const environment = environmentOf(stage, url)
  const { deps, close } = await openProcess({ name: 'bench', environment })
  Object.assign(deps, { enqueue: createEnqueue(), enlist: createEnlist() })
  await connectPayments(deps, organizationId, key)
  const workers: ChildProcess[] = []
  for (let worker = 0; worker < conditions.workers; worker += 1)
    workers.push(await startWorker(conditions, environment))
  const startAndWait = async (request: ImportRequest) => {
    await stage.countRequests(conditions.delayMs)
    const startedAt = Date.now()
    await startImport(deps, organizationId, request)
    const times = await untilEnded(url, startedAt, conditions)
    return { ...times, requests: await stage.countRequests(0) }
  }
  try {
    const first = await startAndWait({ mode: 'historical' })
    const rssMb = Math.max(...(await Promise.all(workers.map(rssOf))))
    const lastMinute = { from: new Date(Date.now() - 60_000), until: new Date() }
    const second = conditions.endsWithCurrent
      ? { requests: 0 }
      : await startAndWait({ mode: 'window', ...lastMinute })
    await look?.(url)
    return { ...conditions, ...first, secondRequests: second.requests, rssMb: Math.round(rssMb) }
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
    await close()
    await drop()
  }
}

async function startWorker({ perSecond }: Conditions, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const worker = fork(join(import.meta.dirname, 'worker.ts'), [String(perSecond)], { env })
  await once(worker, 'message')
  return worker
}

async function rssOf(worker: ChildProcess): Promise<number> {
  worker.send('usage')
  const [{ rssMb }] = (await once(worker, 'message')) as [{ rssMb: number }]
  return rssMb
}

function environmentOf({ stripeUrl }: BenchStage, url: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    DATABASE_URL: url,
    SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    STRIPE_API_URL: stripeUrl,
    HUBSPOT_API_URL: stripeUrl,
    HUBSPOT_APP_URL: stripeUrl,
    LOG_LEVEL: 'warn',
  }
}

type Times = Pick<Measured, 'seconds' | 'readSeconds' | 'currentSeconds'>

/** Whether every subscription of a known customer has its figures; ended ones have no value and are skipped. */
async function isCurrent(client: pg.Client, runId: string): Promise<boolean> {
  const { rows } = await client.query(
    `select (select bool_and(is_done) from import_windows w where w.run_id = $1
                and w.kind in ('current_subscriptions', 'customers'))
            and not exists (select from subscriptions u where u.quantity is null and u.status not in ('canceled', 'incomplete_expired')
                  and exists (select from customers c where c.id = u.customer_id)) as is_current`,
    [runId],
  )
  return rows[0]?.is_current === true
}

/** Polls until the newest run has ended or, if that is enough, until all current figures are stored. */
async function untilEnded(url: string, startedAt: number, conditions: Conditions): Promise<Times> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const times: Times = { seconds: 0, readSeconds: 0, currentSeconds: null }
  let nextLookAt = startedAt
  let wasReading = false
  const secondsUntil = (at: number) => (at - startedAt) / 1000
  const isCurrentNow = async (runId: string): Promise<boolean> => {
    if (conditions.perSecond === 0 || times.currentSeconds !== null || Date.now() < nextLookAt) return false
    nextLookAt = Date.now() + lookForCurrentEveryMs
    return isCurrent(client, runId)
  }
  try {
    for (;;) {
      const { rows } = await client.query(
        `select id, status, error, exists (select from import_windows w where w.run_id = r.id and not w.is_done) as is_reading
           from runs r order by created_at desc limit 1`,
      )
      const [run] = rows
      times.seconds = secondsUntil(Date.now())
      const isReading = run?.is_reading === true
      if (wasReading && !isReading) times.readSeconds = times.seconds
      wasReading = isReading
      if (await isCurrentNow(run.id)) times.currentSeconds = secondsUntil(Date.now())
      if (run?.status === 'completed' || (conditions.endsWithCurrent && times.currentSeconds !== null))
        return times
      if (run?.status === 'failed') throw new Error(`the import failed: ${run.error}`)
      await new Promise((next) => setTimeout(next, isReading ? lookEveryMs.reading : lookEveryMs.after))
    }
  } finally {
    await client.end()
  }
}
