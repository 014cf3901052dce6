import { sql } from 'kysely'
import type { Instant } from '#domain/instant.ts'
import type { Tenant } from '../postgres/database.ts'

/** A due customer and its place in the order, newest first. */
export type DueCustomer = { id: string; createdAt: Date }

/**
 * Locks due customers, newest first, until the transaction ends; with `since` only those made then or later.
 * It skips customers that others have locked, or waits for them.
 */
export async function takeCustomersDue(
  tenant: Tenant,
  query: { after: DueCustomer | null; since?: Instant; waits: boolean; limit: number },
): Promise<DueCustomer[]> {
  const { after, since } = query
  return tenant.sql
    .selectFrom('customers')
    .select(['id', 'created_at as createdAt'])
    .where('organization_id', '=', tenant.organizationId)
    .where('is_rebuild_due', '=', true)
    .$if(since !== undefined, (due) => due.where('created_at', '>=', new Date((since ?? 0) * 1000)))
    .$if(after !== null, (due) =>
      due.where(
        sql<boolean>`created_at <= ${after?.createdAt} and (created_at < ${after?.createdAt} or id > ${after?.id})`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(query.limit)
    .forNoKeyUpdate()
    .$if(!query.waits, (held) => held.skipLocked())
    .execute()
}

/** Whether any customer is due. */
export async function isAnyCustomerDue(tenant: Tenant): Promise<boolean> {
  const one = await tenant.sql
    .selectFrom('customers')
    .select('id')
    .where('organization_id', '=', tenant.organizationId)
    .where('is_rebuild_due', '=', true)
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}

/**
 * Customers named by an unended subscription without figures, ascending by id. Some may not be stored yet, or
 * never (`listKeptCustomers`). A join would tell, but its plan is very slow while the tables fill.
 */
export async function listCustomersWithoutFigures(
  tenant: Tenant,
  query: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct customer_id as id from subscriptions
     where organization_id = ${tenant.organizationId} and customer_id > ${query.after} and quantity is null
       and status not in ('canceled', 'incomplete_expired')
     order by customer_id limit ${query.limit}`.execute(tenant.sql)
  return rows.map((row) => row.id)
}

/** The given customers that are already stored. */
export async function listKeptCustomers(tenant: Tenant, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customers where organization_id = ${tenant.organizationId} and id = any(${ids}::text[])`.execute(
    tenant.sql,
  )
  return rows.map((row) => row.id)
}
