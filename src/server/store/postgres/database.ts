import {
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  Transaction,
} from 'kysely'
import pg from 'pg'
import { errorCodeOf } from './error-code.ts'
import { PreparingClient } from './prepared.ts'
import type { DB } from './tables.ts'

/** The application's pool, as the role without power. Tables of organizations show nothing through it. */
export type Database = Kysely<DB>

declare const tenantBrand: unique symbol

/**
 * An open transaction that belongs to one organization. The only thing that store functions on tenant tables take. Statements
 * that are given without waiting for each other go out beside each other, and are done in the order in which they were given.
 */
export type Tenant = {
  readonly organizationId: number
  readonly sql: Transaction<DB>
  readonly [tenantBrand]: true
}

/** Does the work once it is the organization's turn, or refuses to; a signal ends the waiting. */
type InTurn = <T>(organizationId: number, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

const int8 = 20
const date = 1082

// Amounts and counts stay far below 2^53; what does not is refused rather than rounded.
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
 * Opens the pool. Every connection carries a statement timeout and gives up an idle transaction, so that one bad query
 * cannot hold the others up.
 */
export function openDatabase(options: {
  /** Where the address has to be found out, it is asked for at the first use, and again until it is known. */
  url: string | (() => Promise<string>)
  poolSize: number
  /** The last so many connections are not closed when they are not needed for a while. */
  keptOpen?: number
  statementTimeoutMs: number
  /** Whose turn it is to begin a transaction of an organization; without it, everybody's. */
  inTurn?: InTurn
  onError: (error: Error) => void
}): Database {
  const clients = new Set<pg.PoolClient>()
  const database = new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: async () =>
        openPool(typeof options.url === 'string' ? options.url : await options.url(), options, clients),
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
    ...(options.keptOpen !== undefined && { min: options.keptOpen }),
    connectionTimeoutMillis: 5_000,
    idle_in_transaction_session_timeout: 10_000,
    statement_timeout: options.statementTimeoutMs,
    application_name: 'tributary',
    types: { getTypeParser: parser as typeof pg.types.getTypeParser },
    pipeline: true,
    // Nothing else tells of a connection at rest that something on the way has dropped.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // Of one at rest both tell, the pool and the connection.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    clients.add(client)
    // Of a connection that is lost between two statements of a transaction the pool says nothing; unheard, it would end
    // the process. Whoever has the connection learns of it by the next statement.
    client.on('error', options.onError)
  })
  pool.on('remove', (client) => clients.delete(client))
  return pool
}

/** Opens so many connections, where fewer are: each takes both sides tens of milliseconds, which the first work would wait for. */
export async function openConnections(database: Database, count: number): Promise<void> {
  const open = () => database.connection().execute((connection) => sql`select 1`.execute(connection))
  await Promise.all(Array.from({ length: count }, open))
}

const clientsOf = new WeakMap<Database, ReadonlySet<pg.PoolClient>>()
const turnsOf = new WeakMap<Database, InTurn>()

/** Ends the statements that are running through this pool; each fails as if it had timed out. */
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
 * Runs `work` in one transaction of the organization: row-level security shows its rows and no others, and lets go of
 * it at the end of the transaction whatever happens. `open` is what names the organization, if it does more than that. It is
 * not waited for before the first statement of the work, which PostgreSQL does after it; where it fails, so do all that
 * follow, and what it failed with is thrown. Where transactions have turns (`openDatabase`), whoever waits for one holds no
 * connection: so never begin one within another, which would keep the turn that the inner one waits for.
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
    database.transaction().execute((sequential) =>
      beside(sequential, async (transaction) => {
        const opening = open(transaction)
        try {
          const [result] = await Promise.all([work({ organizationId, sql: transaction } as Tenant), opening])
          return result
        } catch (error) {
          await opening
          throw error
        }
      }),
    )
  const inTurn = turnsOf.get(database)
  return inTurn ? inTurn(organizationId, run, signal) : run()
}

/**
 * Kysely's own transactions send a statement when the one before it is answered; here each is sent when it is given, unless
 * with a signal, which Kysely looks at first. Once the work has ended or failed, what is left of it can send no more: the
 * transaction is about to end, and what came after that would be in none. Throws what the first statement failed with, though
 * the work may hear first of one that failed by it.
 */
function beside<T>(
  sequential: Transaction<DB>,
  work: (transaction: Transaction<DB>) => Promise<T>,
): Promise<T> {
  const own = sequential.getExecutor()
  return own.provideConnection(async (connection) => {
    let isOver = false
    let first: { error: unknown } | undefined
    const executor = own.withConnectionProvider({
      provideConnection: async (send) => {
        if (isOver) throw new Error('The transaction is over.')
        try {
          return await send(connection)
        } catch (error) {
          first ??= { error }
          throw error
        }
      },
    })
    try {
      return await work(new Transaction<DB>({ config: { dialect }, dialect, driver, executor }))
    } catch (error) {
      throw first && consequences.has(errorCodeOf(error)) ? first.error : error
    } finally {
      isOver = true
    }
  })
}

/** In a transaction that has failed, or of a statement that could not be prepared in it. */
const consequences = new Set(['25P02', '26000'])

/** What a transaction is never asked for: it goes on with the connection it was begun on. */
const driver = new DummyDriver()
const dialect: Dialect = {
  createDriver: () => driver,
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (database) => new PostgresIntrospector(database),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

/** Turns a transaction that has just made an organization into one of that organization. */
export async function tenantOf(transaction: Transaction<DB>, organizationId: number): Promise<Tenant> {
  await nameOrganization(transaction, organizationId)
  return { organizationId, sql: transaction } as Tenant
}

async function nameOrganization(transaction: Transaction<DB>, organizationId: number): Promise<void> {
  await sql`select set_config('app.organization_id', ${String(organizationId)}, true)`.execute(transaction)
}
