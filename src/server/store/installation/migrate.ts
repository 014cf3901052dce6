import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { grantApplicationRole } from './application-role.ts'
import { listAppliedNames } from './applied-migrations.ts'
import { onTables } from './as-owner.ts'
import { renameFirstVersion } from './first-version.ts'
import { refuseHalfPartitioned } from './half-partitioned.ts'
import { allowBackupByOwner } from './owner-backup-policy.ts'
import { backupLock, ownerLock } from './owner-lock.ts'
import { refuseOldServer, refuseOtherEncoding } from './server-version.ts'

const folder = join(import.meta.dirname, '../../../../db/migrations')

/**
 * Migrates the database to the newest version, as its owner, and grants the application role exactly what it needs.
 * Each migration is one transaction; parallel processes wait for each other. Returns the names applied now.
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  return await onTables(ownerUrl, 'tributary migrate', async (client) => {
    const { rows } = await client.query<{ number: number; encoding: string }>(
      `select current_setting('server_version_num')::integer as number, current_setting('server_encoding') as encoding`,
    )
    refuseOldServer(rows[0]?.number ?? 0)
    refuseOtherEncoding(rows[0]?.encoding ?? '')
    await refuseHalfPartitioned(client)
    const applied = await applyMigrations(client, await listMigrationNames())
    await allowBackupByOwner(client)
    await grantApplicationRole(client)
    return applied
  })
}

/** Applies the missing ones of the named migrations on the owner's connection; returns their names. */
export async function applyMigrations(client: pg.Client, names: string[]): Promise<string[]> {
  await client.query('select pg_advisory_lock($1)', [ownerLock])
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  const known = new Set(await listApplied(client))
  refuseUnknown(known, names)
  const pending = names.filter((name) => !known.has(name))
  if (pending.length > 0) await client.query('select pg_advisory_lock($1)', [backupLock])
  for (const name of pending) await apply(client, name)
  return pending
}

/** The applied migrations by this version's names; rewrites a list of version 0.1. */
async function listApplied(client: pg.Client): Promise<string[]> {
  const stored = await listAppliedNames(client)
  const names = renameFirstVersion(stored)
  if (names === stored) return stored
  await client.query(
    `with gone as (delete from migrations where name <> all($1))
     insert into migrations (name) select unnest($1::text[]) on conflict do nothing`,
    [names],
  )
  return names
}

/** The names of this version's migrations, in order. */
export async function listMigrationNames(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

/** A database with unknown migrations belongs to a newer version, so older code must not use it. */
function refuseUnknown(known: Set<string>, names: string[]): void {
  const newer = [...known].filter((name) => !names.includes(name))
  if (newer.length > 0)
    throw new Error(`The database has migrations this version does not know: ${newer.join(', ')}`)
}

async function apply(client: pg.Client, name: string): Promise<void> {
  await client.query('begin')
  try {
    await client.query(await readFile(join(folder, name), 'utf8'))
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
