import { Kysely, PostgresDialect, type PostgresPool, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { PreparingClient } from './prepared.ts'
import type { DB } from './tables.ts'

/** The application's pool, with the unprivileged role. Through it, tables of organizations show no rows. */
export type Database = Kysely<DB>

declare const tenantBrand: unique symbol

/**
 * An open transaction of one organization; store functions on tenant tables accept nothing else. Await each statement
 * before the next: one that is left behind by a failure could run after the rollback.
 */
export type Tenant = {
  readonly organizationId: number
  readonly sql: Transaction<DB>
  readonly [tenantBrand]: true
}

/** Runs the work when it is the organization's turn, or refuses it; a signal ends the wait. */
type InTurn = <T>(organizationId: number, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

const int8 = 20
const date = 1082

// Amounts and counts stay far below 2^53; larger values throw instead of being rounded.
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint out of range: ${text}`)
  return value
}

function parser(oid: number, format?: 'text' | 'binary') {
  if (oid === int8) return safeInteger
  if (oid === date) return (text: string) => text
  return pg.types.getTypeParser(oid, format)
}

/**
 * Opens the pool. Every connection has a statement timeout and ends idle transactions, so that one bad query cannot
 * block the others.
 */
export function openDatabase(options: {
  /** A function is called at first use, and again until it returns the URL. */
  url: string | (() => Promise<string>)
  poolSize: number
  statementTimeoutMs: number
  /** Decides which organization may begin a transaction; without it all may. */
  inTurn?: InTurn
  onError: (error: Error) => void
  /** Receives how many seconds each connection was waited for, new ones included. */
  onConnection?: (seconds: number) => void
}): Database {
  const clients = new Set<pg.PoolClient>()
  const database = new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: async () =>
        timed(
          openPool(typeof options.url === 'string' ? options.url : await options.url(), options, clients),
          options.onConnection,
        ),
    }),
  })
  clientsOf.set(database, clients)
  if (options.inTurn) turnsOf.set(database, options.inTurn)
  return database
}

function openPool(
  connectionString: string,
  options: Parameters<typeof openDatabase>[0],
  clients: Set<pg.PoolClient>,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    Client: PreparingClient,
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    idle_in_transaction_session_timeout: 10_000,
    statement_timeout: options.statementTimeoutMs,
    application_name: 'tributary',
    types: { getTypeParser: parser as typeof pg.types.getTypeParser },
    // Without keep-alive, an idle connection that the network dropped would go unnoticed.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // For an idle connection, pool and client both report the error; the client's listener handles it.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    clients.add(client)
    // If a connection is lost between two statements of a transaction, only the client reports it, and without a
    // listener the process would end. The next statement on the connection fails.
    client.on('error', options.onError)
  })
  pool.on('remove', (client) => clients.delete(client))
  return pool
}

function timed(pool: pg.Pool, observe: ((seconds: number) => void) | undefined): PostgresPool {
  if (observe === undefined) return pool
  const connect = async () => {
    const askedAt = performance.now()
    try {
      return await pool.connect()
    } finally {
      observe((performance.now() - askedAt) / 1_000)
    }
  }
  return { options: pool.options, connect, end: () => pool.end() }
}

const clientsOf = new WeakMap<Database, ReadonlySet<pg.PoolClient>>()
const turnsOf = new WeakMap<Database, InTurn>()

/** Cancels the running statements of this pool; each fails as if it had timed out. */
export async function cancelStatements(database: Database): Promise<void> {
  const processIds = [...(clientsOf.get(database) ?? [])].flatMap((client) =>
    'processID' in client && typeof client.processID === 'number' ? client.processID : [],
  )
  await sql`
    select pg_cancel_backend(pid) from pg_stat_activity
     where pid = any(${processIds}::integer[]) and pid <> pg_backend_pid() and state = 'active'`.execute(
    database,
  )
}

/**
 * Runs `work` in a transaction in which row-level security shows only this organization. `open` may replace how it is
 * set; its error is thrown. Never nest calls: the outer one would keep the turn that the inner one awaits.
 */
export function inOrganization<T>(
  database: Database,
  organizationId: number,
  work: (tenant: Tenant) => Promise<T>,
  {
    open = (transaction) => nameOrganization(transaction, organizationId),
    signal,
  }: { open?: (transaction: Transaction<DB>) => Promise<void>; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  const run = () =>
    database.transaction().execute(async (transaction) => {
      await open(transaction)
      return work({ organizationId, sql: transaction } as Tenant)
    })
  const inTurn = turnsOf.get(database)
  return inTurn ? inTurn(organizationId, run, signal) : run()
}

/** Makes an open transaction one of an organization: of one that it just created, or of several in turn. */
export async function tenantOf(transaction: Transaction<DB>, organizationId: number): Promise<Tenant> {
  await nameOrganization(transaction, organizationId)
  return { organizationId, sql: transaction } as Tenant
}

async function nameOrganization(transaction: Transaction<DB>, organizationId: number): Promise<void> {
  await sql`select set_config('app.organization_id', ${String(organizationId)}, true)`.execute(transaction)
}
