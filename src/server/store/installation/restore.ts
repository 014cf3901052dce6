import type pg from 'pg'
import { onTables } from './as-owner.ts'
import { copied, copySettings, listTables } from './backup.ts'
import { type BackupEnd, type BackupHead, BackupReader, BadBackup } from './backup-file.ts'
import { copyIn } from './copy.ts'
import { renameFirstVersion } from './first-version.ts'
import { applyMigrations, listMigrationNames } from './migrate.ts'
import { holdOutboundAs } from './outbound-hold.ts'

/**
 * Fills an empty database from a backup, all or nothing. Then calls to providers are off, and nobody is signed in. Calls
 * `open` twice, to verify and to copy. The caller does `migrate` and the queues. Returns the counts.
 */
export async function restoreBackup(
  ownerUrl: string,
  open: () => AsyncIterable<Buffer>,
): Promise<Record<string, number>> {
  const { head, end } = await checkBackup(open())
  return await onTables(ownerUrl, 'tributary restore', async (client) => {
    await refuseFilled(client)
    const migrations = renameFirstVersion(head.migrations)
    await refuseNewer(migrations)
    await applyMigrations(client, migrations)
    await client.query('begin')
    await client.query(copySettings)
    const counts = await fill(client, new BackupReader(open()))
    const other = Object.entries(end.rows).filter(([table, rows]) => counts[table] !== rows)
    if (other.length > 0)
      throw new BadBackup(
        `Not all rows arrived of ${other.map(([table]) => table).join(', ')}; nothing was kept.`,
      )
    for (const [sequence, value] of Object.entries(end.sequences))
      await client.query('select setval(format($1, $2::text)::regclass, $3)', ['public.%I', sequence, value])
    await holdOutboundAs(client)
    // What was ended since the backup would open the door again: sessions, and links in mails.
    await client.query('delete from session')
    await client.query('delete from verification')
    await client.query('commit')
    await client.query('analyze')
    return counts
  })
}

/** Reads the whole file; throws BadBackup if it is not a backup, is incomplete or was changed. */
async function checkBackup(pieces: AsyncIterable<Buffer>): Promise<{ head: BackupHead; end: BackupEnd }> {
  const reader = new BackupReader(pieces)
  const head = await reader.readHead()
  for (;;) {
    const part = await reader.readPart()
    if ('rows' in part) {
      await reader.finish()
      return { head, end: part }
    }
    for await (const _ of reader.readRows());
  }
}

async function refuseFilled(client: pg.Client): Promise<void> {
  const found = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      where c.relkind in ('r', 'p') limit 1`,
  )
  if (found.rowCount !== 0)
    throw new Error(
      'The database of DATABASE_URL is not empty. Create a new one and restore into that. Without DATABASE_URL, stop ' +
        'npm start and give its folder .data another name first.',
    )
}

async function refuseNewer(migrations: string[]): Promise<void> {
  const known = await listMigrationNames()
  const unknown = migrations.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Error(
      `The backup was made by a newer version, which knows ${unknown.join(', ')}. Restore it with that one.`,
    )
}

/**
 * Copies the rows with row-level security and triggers disabled for the transaction, because the backup already
 * contains what triggers write. Foreign keys are still checked.
 */
async function fill(client: pg.Client, reader: BackupReader): Promise<Record<string, number>> {
  const tables = (await listTables(client)).map(({ table }) => client.escapeIdentifier(table))
  const forced = await client.query<{ name: string }>(
    `select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      where c.relkind in ('r', 'p') and c.relforcerowsecurity`,
  )
  const walls = forced.rows.map(({ name }) => client.escapeIdentifier(name))
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
  for (const table of walls) await client.query(`alter table ${table} no force row level security`)
  // Some migrations insert rows.
  await client.query(`truncate ${tables.join(', ')}`)
  await reader.readHead()
  const counts: Record<string, number> = {}
  for (let part = await reader.readPart(); !('rows' in part); part = await reader.readPart())
    counts[part.table] = await copyIn(client, `copy ${copied(client, part)} from stdin`, reader.readRows())
  for (const table of Object.keys(counts)) {
    const { rows } = await client.query<{ count: string }>(
      `select count(*) as count from ${client.escapeIdentifier(table)}`,
    )
    counts[table] = Number(rows[0]?.count)
  }
  for (const table of walls) await client.query(`alter table ${table} force row level security`)
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
  return counts
}
