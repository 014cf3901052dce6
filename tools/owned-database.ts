import { asOwner } from '#server/store/installation/as-owner.ts'
import type { Cluster } from './postgres.ts'

/** Owns the databases that we create: a role without superuser rights, as on a hosted PostgreSQL. */
const ownerRole = 'tributary_owner'

/** The address of a database for its ordinary owner; creates both if they do not exist. */
export async function createOwnedDatabase(cluster: Cluster, database: string): Promise<string> {
  return await asOwner(cluster.url('postgres'), 'npm start', async (client) => {
    const address = new URL(cluster.url(database))
    const password = client.escapeLiteral(decodeURIComponent(address.password))
    const role = await client.query('select 1 from pg_roles where rolname = $1', [ownerRole])
    if (role.rowCount === 0)
      await client.query(`create role ${ownerRole} login createrole password ${password}`)
    const found = await client.query<{ owner: string }>(
      'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
      [database],
    )
    if (found.rowCount === 0) await client.query(`create database ${database} owner ${ownerRole}`)
    // Databases of earlier versions still belong to the superuser that created them.
    address.username = found.rows[0]?.owner ?? ownerRole
    return address.href
  })
}
