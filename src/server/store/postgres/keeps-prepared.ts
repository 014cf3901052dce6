import pg from 'pg'
import { errorCodeOf } from './error-code.ts'

/** SQLSTATE of a statement that the connection does not know, and of one that it knows already. */
const refused = ['26000', '42P05']

/**
 * Whether a connection still knows in its next transaction what it prepared in this one. A pooler that shares
 * connections and is too old for prepared statements mixes them up: a second client takes the connection between.
 */
export async function keepsPrepared(url: string): Promise<boolean> {
  const clients = [1, 2].map(
    () => new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 10_000 }),
  )
  for (const client of clients) client.on('error', () => {})
  const [first, between] = clients as [pg.Client, pg.Client]
  const statement = { name: 'tributary_keeps_prepared', text: 'select 1' }
  try {
    for (const client of clients) await client.connect()
    await first.query(statement)
    await between.query('begin')
    await first.query(statement)
    await between.query(statement)
    await between.query('commit')
    return true
  } catch (error) {
    if (refused.includes(errorCodeOf(error))) return false
    throw error
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()))
  }
}
