import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'

/** Says that `tributary migrate` has not been here yet, or not since a restore. */
export class NotMigrated extends Error {}

/** Roles belong to the whole cluster, where a second installation may be. A name holds 63 bytes at most. */
const nameMax = 63
const prefix = 'tributary_app_'
const undefinedTable = '42P01'

type Role = { role_name: string; password: string }

/**
 * Makes the role under which the application works on this database and no other, or sets its password again, and gives it
 * exactly what it needs. The password is random and kept where the owner alone can read it.
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

/** The address under which the application connects: the owner's database, as the role without power. */
export async function applicationUrl(ownerUrl: string): Promise<string> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: 'tributary',
    connectionTimeoutMillis: 5_000,
  })
  // A connection that breaks is told by the statement that waits for it.
  client.on('error', () => {})
  try {
    await client.connect()
    const role = await readRole(client)
    if (!role) throw new NotMigrated('The database has no role for the application: run tributary migrate.')
    const url = new URL(ownerUrl)
    url.username = role.role_name
    url.password = role.password
    return url.href
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === undefinedTable)
      throw new NotMigrated('The database is not up to date: run tributary migrate.', { cause: error })
    throw error
  } finally {
    await client.end()
  }
}

/** The name of the role that the last `migrate` of this database made. */
export async function applicationRoleOf(client: pg.Client): Promise<string> {
  const role = await readRole(client)
  if (!role) throw new NotMigrated('The database has no role for the application: run tributary migrate.')
  return role.role_name
}

async function readRole(client: pg.Client): Promise<Role | undefined> {
  return (await client.query<Role>('select role_name, password from application_role')).rows[0]
}

/** A copy of a database brings the role of the original with it, and gets one of its own. */
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

/** An owner who is no superuser may name none of the powerful attributes, not even to deny them. */
async function createOrAlter(client: pg.Client, { role_name, password }: Role): Promise<void> {
  const found = await client.query<{ powers: string[] }>(
    `select array_remove(array[
              case when rolsuper then 'superuser' end, case when rolcreatedb then 'createdb' end,
              case when rolcreaterole then 'createrole' end, case when rolbypassrls then 'bypassrls' end,
              case when rolreplication then 'replication' end,
              case when exists (select 1 from pg_auth_members m where m.member = r.oid) then 'member of another role' end
            ], null) as powers
       from pg_roles r where rolname = $1`,
    [role_name],
  )
  const powers = found.rows[0]?.powers ?? []
  if (powers.length > 0)
    throw new Error(
      `The role ${role_name} must have no power, but is ${powers.join(', ')}. Take that from it and migrate again.`,
    )
  const verb = found.rowCount === 0 ? 'create' : 'alter'
  const attributes = `${client.escapeIdentifier(role_name)} login password ${client.escapeLiteral(password)}`
  await client.query(`${verb} role ${attributes}`).catch((error: unknown) => {
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
  const server = await client.query<{ version: string; database: string; owns: boolean }>(
    `select current_setting('server_version_num') as version, datname as database,
            pg_has_role(datdba, 'usage') as owns
       from pg_database where datname = current_database()`,
  )
  const { version = '', database = '', owns = false } = server.rows[0] ?? {}
  // Refreshing the planner's statistics after a large write is a right of its own since PostgreSQL 17.
  if (Number(version) >= 170_000)
    await client.query(`grant maintain on all tables in schema public to ${role}`)
  // Other installations of the cluster stay out; only the database's owner can say so.
  if (owns) {
    const name = client.escapeIdentifier(database)
    await client.query(
      `revoke connect on database ${name} from public; grant connect on database ${name} to ${role}`,
    )
  }
}
