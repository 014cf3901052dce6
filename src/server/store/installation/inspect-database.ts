import type pg from 'pg'
import { findApplicationRole, powersOf } from './application-role.ts'
import { listAppliedNames } from './applied-migrations.ts'
import { asOwner } from './as-owner.ts'
import { withoutFirstVersion } from './first-version.ts'
import { listMigrationNames } from './migrate.ts'

/** What an operator can put wrong about a database that answers. */
export type DatabaseFacts = {
  version: string
  versionNumber: number
  maxConnections: number
  /** Whether the owner may create and change the application's role. */
  mayCreateRoles: boolean
  /** The application's role; null before the first migration. */
  role: { name: string; powers: string[] } | null
  /** Migrations that the code has and the database lacks. */
  pending: string[]
  /** Migrations that the database has and the code lacks. */
  unknown: string[]
}

type Server = { version: string; number: number; connections: number; creates: boolean; migrated: boolean }

/** Reads the facts as the owner. Throws the driver's error if the database does not let the owner in. */
export async function inspectDatabase(ownerUrl: string): Promise<DatabaseFacts> {
  return await asOwner(ownerUrl, 'tributary doctor', async (client) => {
    const { rows } = await client.query<Server>(`
      select current_setting('server_version') as version,
             current_setting('server_version_num')::integer as number,
             current_setting('max_connections')::integer as connections,
             rolsuper or rolcreaterole as creates,
             to_regclass('public.migrations') is not null and to_regclass('public.application_role') is not null as migrated
        from pg_roles where rolname = current_user`)
    const [server] = rows
    if (server === undefined) throw new Error('The database does not say who its owner is.')
    const names = await listMigrationNames()
    const applied = server.migrated ? await listAppliedNames(client) : []
    return {
      version: server.version.split(' ')[0] ?? '',
      versionNumber: server.number,
      maxConnections: server.connections,
      mayCreateRoles: server.creates,
      role: server.migrated ? await inspectRole(client) : null,
      pending: names.filter((name) => !applied.includes(name)),
      unknown: applied.filter((name) => !names.includes(name)),
    }
  })
}

/**
 * The migrations that a newer version applied, read as the owner; none in a database that is empty, older or another
 * product's.
 */
export async function findNewerMigrations(ownerUrl: string): Promise<string[]> {
  return await asOwner(ownerUrl, 'tributary', async (client) => {
    const { rowCount } = await client.query(
      `select from pg_attribute where attrelid = to_regclass('public.migrations') and attname = 'name'`,
    )
    if (rowCount === 0) return []
    const names = await listMigrationNames()
    return withoutFirstVersion(await listAppliedNames(client)).filter((name) => !names.includes(name))
  })
}

async function inspectRole(client: pg.Client): Promise<DatabaseFacts['role']> {
  const name = await findApplicationRole(client)
  const powers = name === undefined ? null : await powersOf(client, name)
  return name === undefined || powers === null ? null : { name, powers }
}
