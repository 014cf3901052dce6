import { sql } from 'kysely'
import type { Instant } from '#domain/instant.ts'
import type { Tenant } from '../postgres/database.ts'

/** A customer that is due, and where it stands among those: newest first. */
export type DueCustomer = { id: string; createdAt: Date }

/**
 * Takes customers whose objects changed since their last rebuild, newest first, until the end of the transaction; with
 * `since` only those that were made then or later. Those that others hold are passed over, or waited for.
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

/**
 * Customers that a subscription without figures names that has not ended, as a first import leaves them at first, ascending
 * by id; some of them may not be kept yet, or never be (`listKeptCustomers`). A join that would tell takes the planner for ever
 * while the tables fill.
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

/** Those of these customers that are kept by now. */
export async function listKeptCustomers(tenant: Tenant, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customers where organization_id = ${tenant.organizationId} and id = any(${ids}::text[])`.execute(
    tenant.sql,
  )
  return rows.map((row) => row.id)
}
