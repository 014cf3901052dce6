// One DATABASE_URL, two roles, and nothing more to set: `migrate` makes the application's role with a random password and
// keeps it where only the owner reads. A process reads it as the owner when it starts, and then works as that role.

import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { asOwner } from './as-owner.ts'
import { refuseHalfPartitioned } from './half-partitioned.ts'

/** Thrown if `tributary migrate` has not run yet, or not since a restore. */
export class NotMigrated extends Error {}

/** Roles belong to the cluster, which may hold a second installation. PostgreSQL limits names to 63 bytes. */
const nameMax = 63
const prefix = 'tributary_app_'
const undefinedTable = '42P01'

type Role = { role_name: string; password: string }

/**
 * Creates the application's role for this database, or resets its password, and grants exactly what it needs. The
 * password is random and readable only by the owner.
 */
export async function grantApplicationRole(client: pg.Client): Promise<void> {
  await client.query('begin')
  try {
    const role = await keepRole(client)
    await createOrAlter(client, role)
    await grant(client, client.escapeIdentifier(role.role_name))
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** The connection URL of the application: the owner's database with the unprivileged role. */
export async function applicationUrl(ownerUrl: string): Promise<string> {
  try {
    return await asOwner(ownerUrl, 'tributary', async (client) => {
      await refuseHalfPartitioned(client)
      const role = await readRole(client)
      if (!role) throw new NotMigrated('The database has no role for the application: run tributary migrate.')
      const url = new URL(ownerUrl)
      url.username = role.role_name
      url.password = role.password
      return url.href
    })
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === undefinedTable)
      throw new NotMigrated('The database is not up to date: run tributary migrate.', { cause: error })
    throw error
  }
}

/** The role that the last `migrate` of this database created. */
export async function applicationRoleOf(client: pg.Client): Promise<string> {
  const name = await findApplicationRole(client)
  if (name === undefined)
    throw new NotMigrated('The database has no role for the application: run tributary migrate.')
  return name
}

/** The same; undefined in a database whose last restore was not followed by `migrate`. */
export async function findApplicationRole(client: pg.Client): Promise<string | undefined> {
  return (await readRole(client))?.role_name
}

/** What the role may do beyond its grants, in the words of `create role`; null if there is no such role. */
export async function powersOf(client: pg.Client, roleName: string): Promise<string[] | null> {
  const found = await client.query<{ powers: string[] }>(
    `select array_remove(array[
              case when rolsuper then 'superuser' end, case when rolcreatedb then 'createdb' end,
              case when rolcreaterole then 'createrole' end, case when rolbypassrls then 'bypassrls' end,
              case when rolreplication then 'replication' end,
              case when exists (select 1 from pg_auth_members m where m.member = r.oid) then 'member of another role' end
            ], null) as powers
       from pg_roles r where rolname = $1`,
    [roleName],
  )
  return found.rows[0]?.powers ?? null
}

/** Opens or closes the door for the application's role; sessions that it has are not touched. */
export async function allowApplicationRole(
  client: pg.Client,
  role: string,
  mayLogIn: boolean,
): Promise<void> {
  await client.query(`alter role ${client.escapeIdentifier(role)} ${mayLogIn ? 'login' : 'nologin'}`)
}

async function readRole(client: pg.Client): Promise<Role | undefined> {
  return (await client.query<Role>('select role_name, password from public.application_role')).rows[0]
}

/** A copied database contains the original's role name, so it gets a role of its own. */
async function keepRole(client: pg.Client): Promise<Role> {
  const found = await client.query<{ name: string }>('select current_database() as name')
  const roleName = roleNameFor(found.rows[0]?.name ?? '')
  const kept = await readRole(client)
  if (kept?.role_name === roleName) return kept
  const role = { role_name: roleName, password: randomBytes(32).toString('hex') }
  await client.query('delete from application_role')
  await client.query('insert into application_role (role_name, password) values ($1, $2)', [
    role.role_name,
    role.password,
  ])
  return role
}

function roleNameFor(database: string): string {
  const name = `${prefix}${database}`
  if (Buffer.byteLength(name) <= nameMax) return name
  return `${prefix}${createHash('sha256').update(database).digest('hex').slice(0, 40)}`
}

/** Without superuser rights the owner may not name these attributes, not even to deny them. */
async function createOrAlter(client: pg.Client, { role_name, password }: Role): Promise<void> {
  const powers = await powersOf(client, role_name)
  if (powers !== null && powers.length > 0)
    throw new Error(
      `The role ${role_name} must have no power, but is ${powers.join(', ')}. Take that from it and migrate again.`,
    )
  const verb = powers === null ? 'create' : 'alter'
  const role = client.escapeIdentifier(role_name)
  const make = `${verb} role ${role} login password ${client.escapeLiteral(password)}`
  // The database may name another place for tables.
  await client.query(`${make}; alter role ${role} set search_path = public`).catch((error: unknown) => {
    throw new Error(
      `The role ${role_name} could not be made (${error instanceof Error ? error.message : String(error)}). ` +
        'DATABASE_URL must name an owner with the right to create roles, the one who made this role if there is one.',
      { cause: error },
    )
  })
}

async function grant(client: pg.Client, role: string): Promise<void> {
  await client.query(`
    grant usage on schema public to ${role};
    grant select, insert, update, delete on all tables in schema public to ${role};
    grant usage, select on all sequences in schema public to ${role};
    revoke all on table application_role from ${role};
    revoke all on table migrations from ${role};
    grant select on table migrations to ${role};
  `)
  const server = await client.query<{ version: number; database: string; owns: boolean }>(
    `select current_setting('server_version_num')::integer as version, datname as database,
            pg_has_role(datdba, 'usage') as owns
       from pg_database where datname = current_database()`,
  )
  const { version = 0, database = '', owns = false } = server.rows[0] ?? {}
  // Since PostgreSQL 17, refreshing statistics after a large write needs this separate right.
  if (version >= 170_000) await client.query(`grant maintain on all tables in schema public to ${role}`)
  // Keeps other installations of the cluster out; only the database's owner may do this.
  if (owns) {
    const name = client.escapeIdentifier(database)
    await client.query(
      `revoke connect on database ${name} from public; grant connect on database ${name} to ${role}`,
    )
  }
}
