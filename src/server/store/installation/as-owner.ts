import pg from 'pg'

/**
 * Works on a connection of the database's owner, and closes it. `name` is what operators see in `pg_stat_activity`.
 * Throws the driver's error if the database does not let the owner in within 10 seconds.
 */
export async function asOwner<T>(
  ownerUrl: string,
  name: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: name,
    connectionTimeoutMillis: 10_000,
  })
  // A broken connection also fails the waiting statement, which reports it.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The same for work on all tables: in the schema public and without time limits, whatever the role or the database has. */
export async function onTables<T>(
  ownerUrl: string,
  name: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return await asOwner(ownerUrl, name, async (client) => {
    await client.query(
      'set search_path = public; set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
    )
    return await work(client)
  })
}
