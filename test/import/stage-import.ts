import { randomUUID } from 'node:crypto'
import type { Deps } from '#server/deps.ts'
import { createLog, type Log } from '#server/log.ts'
import { createStripePayments } from '#server/providers/stripe/create-stripe-payments.ts'
import { createSeal } from '#server/seal.ts'
import type { Database } from '#server/store/postgres/database.ts'
import { type Claim, claimRun, type Run } from '#server/store/runs/runs.ts'
import { connectPayments } from '#server/work/connections/connect-payments.ts'
import { importPayments } from '#server/work/import/import-payments.ts'
import { type ImportRequest, startImport } from '#server/work/import/start-import.ts'
import { createStripeSimulator, type StripeSimulator } from '#simulators/stripe/simulator.ts'
import { readWorld, type SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { generateWorld } from '#simulators/worlds/generate-world.ts'
import { newDatabase, run as query, type TestDatabase } from '../database.ts'
import { keptRow, keptTables } from '../kept-rows.ts'
import { type FetchStub, sendBy, type Timers } from '../providers/send-by.ts'
import { listTotalFaults } from '../store/kept-totals.ts'

export const demoKey = 'sk_test_tributary_demo'
const origin = 'http://stripe.test'

/** A realistic account with 14 months of history, the same for the same number of customers. */
export function generatedWorld(customers: number): SimulatedWorld {
  const asOf = Date.parse('2026-11-20T12:00:00Z') / 1000
  return readWorld(generateWorld({ seed: 5, customers, months: 14, asOf }).world)
}

/** The world with one invoice of a known customer whose lines do not fit into one answer. */
export function withLongInvoice(world: SimulatedWorld): {
  world: SimulatedWorld
  id: string
  customerId: string
} {
  const copy: SimulatedWorld = structuredClone(world)
  const invoice = copy.invoices.at(-1) as
    | (SimulatedWorld['invoices'][number] & { customer: string; lines: { data: { id: string }[] } })
    | undefined
  const [line] = invoice?.lines.data ?? []
  if (!invoice || !line) throw new Error('the world has no invoice')
  for (let index = 0; index < 14; index += 1)
    invoice.lines.data.push({ ...structuredClone(line), id: `${line.id}${index}` })
  return { world: readWorld(copy), id: invoice.id, customerId: invoice.customer }
}

export type ImportStage = {
  db: TestDatabase
  deps: Deps
  simulator: StripeSimulator
  organizationId: number
  enqueued: string[]
  start(request?: ImportRequest): Promise<{ claim: Claim; run: Run }>
  claim(runId: string): Promise<{ claim: Claim; run: Run }>
  /** Works on a claimed run until it ends or throws. */
  work(claimed: { claim: Claim; run: Run }, signal?: AbortSignal): Promise<Run>
  /** Connects, starts and works in one step. */
  importAll(request?: ImportRequest): Promise<Run>
  /** Everything that was stored, without our own write times. */
  dump(): Promise<Record<string, unknown[]>>
  /** The same setup for one more organization in the same database. */
  another(name: string): Promise<ImportStage>
  close(): Promise<void>
}

export type StageOptions = {
  world: SimulatedWorld
  pageSize?: number
  /** Wraps the calls from the product to the simulator. */
  around?: (fetch: FetchStub) => FetchStub
  /** How far the account's clock is ahead of ours. */
  accountAheadSeconds?: number
  /** Wraps the product's access to its database. */
  aroundDatabase?: (database: Database) => Database
  /** By default nothing is logged. */
  log?: Log
  /** A clock for slow faults and the product's timeouts; without it no fault takes time. */
  time?: Timers & { wait(ms: number): Promise<void> }
}

/** An organization on its own database, with a simulated Stripe in the same process. */
export async function stageImport(options: StageOptions): Promise<ImportStage> {
  const db = await newDatabase()
  return openStage(options, db, await addOrganization(db, 'One'))
}

/** The same on a database that has the organization. */
export function openStage(options: StageOptions, db: TestDatabase, organizationId: number): ImportStage {
  const wait = options.time?.wait ?? (async () => {})
  const simulator = createStripeSimulator({ world: options.world, limits: null, wait })
  const plain: FetchStub = (request) => simulator.fetch(request)
  const enqueued: string[] = []
  const aheadMs = (options.accountAheadSeconds ?? 0) * 1000
  const clock = {
    now: () => new Date(Date.parse(simulator.world.as_of) - aheadMs),
    sleep: async () => {},
  }
  const deps = {
    ...clock,
    database: options.aroundDatabase?.(db.database) ?? db.database,
    newId: randomUUID,
    log: options.log ?? createLog({ level: 'silent', name: 'test' }),
    seal: createSeal(new Map([[1, Buffer.alloc(32, 7)]])),
    payments: createStripePayments({
      ...clock,
      send: sendBy(options.around ? options.around(plain) : plain, options.time),
      apiUrl: origin,
      paces: null,
      ...(options.log && { log: options.log }),
      ...(options.pageSize !== undefined && { pageSize: options.pageSize }),
    }),
    // No CRM is connected; refusals name it.
    crm: { name: 'HubSpot' },
    enqueue: async (_tenant: unknown, run: { id: string }) => void enqueued.push(run.id),
    enlist: async () => {},
    rates: null,
    observeLags: () => {},
  } as unknown as Deps
  return bind({ db, deps, simulator, enqueued }, organizationId)
}

function bind(
  parts: Pick<ImportStage, 'db' | 'deps' | 'simulator' | 'enqueued'>,
  organizationId: number,
): ImportStage {
  const { db, deps } = parts
  const stage: ImportStage = {
    ...parts,
    organizationId,
    start: async (request = { mode: 'historical' }) =>
      stage.claim((await startImport(deps, organizationId, request, { askedBy: 'owner' })).runId),
    claim: async (runId) => {
      const claimed = await claimRun(db.database, organizationId, runId, new Date(0))
      if (!claimed) throw new Error('the run has ended')
      return claimed
    },
    work: async ({ claim, run }, signal = new AbortController().signal) => {
      await importPayments(deps, claim, run, signal)
      const [ended] = await query<Run>(db.ownerUrl, 'select * from runs where id = $1', [run.id])
      if (!ended) throw new Error('the run is gone')
      return ended
    },
    importAll: async (request) => {
      await connectPayments(deps, organizationId, demoKey)
      return stage.work(await stage.start(request))
    },
    dump: () => dumpOf(db.ownerUrl, organizationId),
    another: async (name) => bind(parts, await addOrganization(db, name)),
    close: () => closeWithTotals(db),
  }
  return stage
}

/** Whatever happened on it, the totals of its lists are what a count of the rows gives. */
async function closeWithTotals(db: TestDatabase): Promise<void> {
  const faults = await listTotalFaults(db.ownerUrl)
  await db.close()
  if (faults.length > 0) throw new Error(`totals of lists are off: ${JSON.stringify(faults)}`)
}

export async function addOrganization(db: TestDatabase, name: string): Promise<number> {
  const [row] = await query<{ id: number }>(
    db.ownerUrl,
    `insert into "organization" (name, slug, "createdAt") values ($1, lower($1), now()) returning id`,
    [name],
  )
  return row?.id ?? 0
}

/** What an organization has stored. A single query, because some tests run it after every step. */
export async function dumpOf(ownerUrl: string, organizationId: number): Promise<Record<string, unknown[]>> {
  const tables = keptTables.map(
    (table) => `select '${table}' as name, ${keptRow} as row from ${table} t where organization_id = $1`,
  )
  const rows = await query<{ name: string; row: unknown }>(
    ownerUrl,
    `select name, row from (${tables.join(' union all ')}) kept
      order by name, row ->> 'id', row ->> 'month', row ->> 'currency'`,
    [organizationId],
  )
  const dump: Record<string, unknown[]> = Object.fromEntries(keptTables.map((table) => [table, []]))
  for (const { name, row } of rows) dump[name]?.push(row)
  return dump
}
