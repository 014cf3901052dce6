import pg from 'pg'
import { lookAt } from './leaks.ts'

/** Tables with mails, which may contain a secret link until they are sent. */
const mails = ['public.outbox']

/** Searches every row of a database, as its superuser, for unencrypted secrets; returns the number of rows. */
export async function searchDump(ownerUrl: string): Promise<number> {
  const rows = await readRows(ownerUrl)
  for (const { name, row } of rows) lookAt(mails.includes(name) ? 'mail' : 'database', name, row)
  return rows.length
}

/** Every row of every table as text, one per line. */
export async function dumpOf(ownerUrl: string): Promise<string> {
  const rows = await readRows(ownerUrl)
  return rows.map(({ name, row }) => `${name} ${row}`).join('\n')
}

async function readRows(ownerUrl: string): Promise<{ name: string; row: string }[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await requireSight(client)
    // A table without a page never had a row. The rows of a partitioned table are in its parts.
    const { rows: tables } = await client.query<{ name: string }>(
      `select table_schema || '.' || quote_ident(table_name) as name from information_schema.tables
        where table_schema in ('public', 'partitions', 'pgboss') and table_type = 'BASE TABLE'
          and pg_relation_size(format('%I.%I', table_schema, table_name)::regclass) > 0`,
    )
    const each = tables.map(({ name }) => `select '${name}' as name, t::text as row from ${name} t`)
    const { rows } = await client.query<{ name: string; row: string }>(each.join(' union all '))
    return rows
  } finally {
    await client.end()
  }
}

/** Under row-level security every tenant table looks empty, and a search of empty tables proves nothing. */
async function requireSight(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ sees: boolean }>(
    'select rolsuper or rolbypassrls as sees from pg_roles where rolname = current_user',
  )
  if (rows[0]?.sees !== true)
    throw new Error('Search the database as its superuser: this role does not see all rows.')
}
