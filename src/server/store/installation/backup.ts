import type pg from 'pg'
import { listAppliedNames } from './applied-migrations.ts'
import { onTables } from './as-owner.ts'
import { type BackupTable, backupFormat, createBackupWriter, endOfRows } from './backup-file.ts'
import { copyOut } from './copy.ts'
import { backupSetting } from './owner-backup-policy.ts'
import { backupLock } from './owner-lock.ts'

/** The head contains `migrations`; a restore creates the role and its password again; a copy has no backup of its own. */
const leftOut = ['migrations', 'application_role', 'last_backup']

/** Makes values readable for every PostgreSQL, whatever the database's settings. */
export const copySettings = `
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 3; set local bytea_output = 'hex'`

/**
 * Passes on a backup of all tables as of one moment, and returns their counts. Only migrations wait for its end. It omits
 * the queue's tables, because jobs are created again from the open runs.
 */
export async function takeBackup(
  ownerUrl: string,
  write: (piece: Buffer) => Promise<void>,
): Promise<Record<string, number>> {
  return await onTables(ownerUrl, 'tributary backup', async (client) => {
    await client.query('select pg_advisory_lock_shared($1)', [backupLock])
    await client.query('begin transaction isolation level repeatable read, read only')
    await client.query(copySettings)
    await client.query(`select set_config($1, 'on', true)`, [backupSetting])
    const tables = await listTables(client)
    await refuseHidden(client)
    const writer = createBackupWriter(write)
    await writer.addJson({
      tributary: backupFormat,
      migrations: await listAppliedNames(client),
      madeAt: await readTime(client),
    })
    const rows: Record<string, number> = {}
    for (const table of tables) {
      await writer.addJson(table)
      rows[table.table] = await copyOut(client, `copy (${selected(client, table)}) to stdout`, writer.add)
      await writer.add(endOfRows)
    }
    await writer.addJson({ rows, sequences: await readSequences(client) })
    await writer.finish()
    return rows
  })
}

async function readTime(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ at: Date }>('select now() as at')
  return rows[0]?.at.toISOString() ?? ''
}

/** The table with its columns, as COPY names them. */
export function copied(client: pg.Client, { table, columns }: BackupTable): string {
  return `public.${client.escapeIdentifier(table)} (${columns.map((name) => client.escapeIdentifier(name)).join(', ')})`
}

/** The same columns as a query, because a partitioned table cannot be copied by its name. */
function selected(client: pg.Client, { table, columns }: BackupTable): string {
  return `select ${columns.map((name) => client.escapeIdentifier(name)).join(', ')} from public.${client.escapeIdentifier(table)}`
}

/** All tables, each after those that it references, with the columns that are not generated. */
export async function listTables(client: pg.Client): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable & { refers_to: string[] }>(
    `select c.relname::text as table,
            (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
            array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
                   where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as refers_to
       from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      where c.relkind in ('r', 'p') and c.relname <> all($1) order by 1`,
    [leftOut],
  )
  const ordered: BackupTable[] = []
  const left = new Map(rows.map((row) => [row.table, row]))
  while (left.size > 0) {
    const free = [...left.values()].filter(({ refers_to }) => !refers_to.some((name) => left.has(name)))
    if (free.length === 0)
      throw new Error(`These tables refer to each other in a circle: ${[...left.keys()].join(', ')}`)
    for (const { table, columns } of free) {
      ordered.push({ table, columns })
      left.delete(table)
    }
  }
  return ordered
}

/** A table whose rows the owner cannot see would be empty in the backup, without any error. */
async function refuseHidden(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname::text as name from pg_class c
       join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      where c.relkind in ('r', 'p') and row_security_active(c.oid) and not exists (
            select from pg_policy p where p.polrelid = c.oid and p.polname = 'backup_by_owner'
               and p.polroles = array[(select oid from pg_roles where rolname = current_user)])`,
  )
  if (rows.length === 0) return
  throw new Error(
    `The rows of ${rows.map(({ name }) => name).join(', ')} are hidden from this role. Run tributary migrate as ` +
      'the owner of the database, and take the backup as the owner, too.',
  )
}

/** Read after the rows: a number used meanwhile is skipped, and none is used twice. */
async function readSequences(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename::text as name, last_value::text as value from pg_sequences
      where schemaname = 'public' and last_value is not null order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]))
}
