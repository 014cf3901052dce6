import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** A person's views of one list. */
export type ViewOwner = { userId: number; list: string }

export type ListView = { name: string; query: string }

function viewsOf(tenant: Tenant, { userId, list }: ViewOwner) {
  return sql`organization_id = ${tenant.organizationId} and user_id = ${userId} and list = ${list}`
}

/** The views by name. */
export async function listStoredViews(tenant: Tenant, owner: ViewOwner): Promise<ListView[]> {
  const { rows } = await sql<ListView>`
    select name, query from list_views where ${viewsOf(tenant, owner)} order by lower(name)`.execute(
    tenant.sql,
  )
  return rows
}

/** Saves a view; false if the name is taken, in any case of letters. */
export async function insertView(tenant: Tenant, owner: ViewOwner, view: ListView): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into list_views (organization_id, user_id, list, name, query)
    values (${tenant.organizationId}, ${owner.userId}, ${owner.list}, ${view.name}, ${view.query})
    on conflict do nothing`.execute(tenant.sql)
  return numAffectedRows === 1n
}

/** Whether another view than `besides` has the name, in any case of letters. */
export async function isViewNameTaken(
  tenant: Tenant,
  owner: ViewOwner,
  name: string,
  besides: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from list_views
     where ${viewsOf(tenant, owner)} and lower(name) = lower(${name}) and name <> ${besides}`.execute(
    tenant.sql,
  )
  return rows.length > 0
}

/** Renames a view; false if there is none of the name. */
export async function updateViewName(
  tenant: Tenant,
  owner: ViewOwner,
  { name, newName }: { name: string; newName: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update list_views set name = ${newName} where ${viewsOf(tenant, owner)} and name = ${name}`.execute(
    tenant.sql,
  )
  return numAffectedRows === 1n
}

/** Replaces what a view keeps; false if there is none of the name. */
export async function updateViewQuery(tenant: Tenant, owner: ViewOwner, view: ListView): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update list_views set query = ${view.query} where ${viewsOf(tenant, owner)} and name = ${view.name}`.execute(
    tenant.sql,
  )
  return numAffectedRows === 1n
}

export async function deleteStoredView(tenant: Tenant, owner: ViewOwner, name: string): Promise<void> {
  await sql`delete from list_views where ${viewsOf(tenant, owner)} and name = ${name}`.execute(tenant.sql)
}
