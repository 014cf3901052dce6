import { createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

const folder = join(import.meta.dirname, '../../../db/migrations')
const applicationRole = 'tributary_app'
/** Any number, the same in every process: one migrates, the others wait. */
const migrationLock = 740_112_001

/**
 * Brings the database to the newest migration, as its owner, and gives the application role exactly what it needs.
 * Each migration is one transaction; two processes at once wait for each other. Returns the names applied now.
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'tributary migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const applied = await client.query<{ name: string }>('select name from migrations')
    const known = new Set(applied.rows.map((row) => row.name))
    const names = await listMigrationNames()
    refuseUnknown(known, names)
    const pending = names.filter((name) => !known.has(name))
    for (const name of pending) await apply(client, name)
    await grant(client, ownerUrl)
    return pending
  } finally {
    await client.end()
  }
}

/** The names of all migrations that this version has, in their order. */
export async function listMigrationNames(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

/** A database that is ahead of the code belongs to a newer version, which must not be worked on by an older one. */
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

async function grant(client: pg.Client, ownerUrl: string): Promise<void> {
  const password = client.escapeLiteral(applicationPassword(ownerUrl))
  const exists = await client.query('select 1 from pg_roles where rolname = $1', [applicationRole])
  const verb = exists.rowCount === 0 ? 'create' : 'alter'
  await client.query(
    `${verb} role ${applicationRole} login nosuperuser nocreatedb nocreaterole nobypassrls noreplication password ${password}`,
  )
  await client.query(`
    grant usage on schema public to ${applicationRole};
    grant select, insert, update, delete on all tables in schema public to ${applicationRole};
    grant usage, select on all sequences in schema public to ${applicationRole};
    revoke all on table migrations from ${applicationRole};
    grant select on table migrations to ${applicationRole};
  `)
  // Refreshing the planner's statistics after a large write is a right of its own since PostgreSQL 17.
  const version = await client.query<{ number: string }>(
    "select current_setting('server_version_num') as number",
  )
  if (Number(version.rows[0]?.number) >= 170_000) {
    await client.query(`grant maintain on all tables in schema public to ${applicationRole}`)
  }
}

/** Derived from the owner's password, so that every process that may migrate knows it and nobody has to set it. */
function applicationPassword(ownerUrl: string): string {
  const owner = new URL(ownerUrl)
  return createHmac('sha256', `tributary:${decodeURIComponent(owner.password)}`)
    .update(applicationRole)
    .digest('hex')
}

/** The address under which the application connects: the owner's database, as the role without power. */
export function applicationUrl(ownerUrl: string): string {
  const url = new URL(ownerUrl)
  url.username = applicationRole
  url.password = applicationPassword(ownerUrl)
  return url.href
}
