import { lookAt } from './leaks.ts'
import { run } from './query.ts'

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
  await requireSight(ownerUrl)
  // A table without a page never had a row. The rows of a partitioned table are in its parts.
  const tables = await run<{ name: string }>(
    ownerUrl,
    `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
      where nspname in ('public', 'partitions', 'pgboss') and relkind = 'r' and pg_relation_size(c.oid) > 0`,
  )
  const each = tables.map(({ name }) => `select '${name}' as name, t::text as row from ${name} t`)
  return run(ownerUrl, each.join(' union all '))
}

/** Under row-level security every tenant table looks empty, and a search of empty tables proves nothing. */
async function requireSight(ownerUrl: string): Promise<void> {
  const [role] = await run<{ sees: boolean }>(
    ownerUrl,
    'select rolsuper or rolbypassrls as sees from pg_roles where rolname = current_user',
  )
  if (role?.sees !== true)
    throw new Error('Search the database as its superuser: this role does not see all rows.')
}
