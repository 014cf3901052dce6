import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

/** Connections that stay open between queries, by address: a new one costs more than most queries of a test. */
const kept = new Map<string, pg.Pool>()

/** Keeps connections to the address open, until `endConnections`. */
export function keepConnections(url: string): void {
  if (kept.has(url)) return
  const pool = new pg.Pool({ connectionString: url, max: 10, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // The next query opens another connection.
  pool.on('error', () => {})
  kept.set(url, pool)
}

/** Ends the connections that are kept open to the address. */
export async function endConnections(url: string): Promise<void> {
  await kept.get(url)?.end()
  kept.delete(url)
}

/** Runs one statement at the address. */
export async function run<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []) {
  const pool = kept.get(url)
  return pool === undefined ? runAlone<Row>(url, text, values) : runIn<Row>(pool, text, values)
}

async function runIn<Row extends pg.QueryResultRow>(pool: pg.Pool, text: string, values: unknown[]) {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<Row>(text, values)
    client.release()
    return rows
  } catch (error) {
    // It may be in a failed transaction.
    client.release(true)
    throw error
  }
}

async function runAlone<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[]) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** How long a test's last connections may take to end. */
const endWithinMs = 5_000

/** Waits for connections to the database that are about to end, because `pool.end()` does not. */
export async function untilUnused(clusterUrl: string, name: string): Promise<void> {
  const deadline = performance.now() + endWithinMs
  const open = () => run(clusterUrl, 'select pid from pg_stat_activity where datname = $1', [name])
  while ((await open()).length > 0 && performance.now() < deadline) await setTimeout(5)
}

/** Drops the database once it is unused: a connection that is cut off throws outside of any test, and fails the run. */
export async function dropDatabase(clusterUrl: string, name: string): Promise<void> {
  await untilUnused(clusterUrl, name)
  await run(clusterUrl, `drop database ${name} with (force)`)
}
