import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import {
  type Counted,
  collectedMax,
  countedMax,
  countedOf,
  customerContains,
  type Found,
  nameContains,
} from './list-search.ts'
import { listAcross } from './page-window.ts'
import {
  piecesOf,
  type SubscriptionOrder,
  sortedWhole,
  subscriptionsWithCustomers,
} from './subscription-order.ts'

/** The status filter on the subscription `s`; a subscription is listed once its figures are known. */
export function isOfStatus(tenant: Tenant, status: string | undefined): RawBuilder<boolean> {
  const ofStatus = status === undefined ? sql`` : sql` and s.status = ${status}`
  return sql<boolean>`s.organization_id = ${tenant.organizationId} and s.quantity is not null${ofStatus}`
}

/**
 * One page of the subscriptions that contain the text: collects and sorts few results, and walks the order for many.
 */
export async function searchSubscriptions(
  tenant: Tenant,
  query: SubscriptionOrder & { status: string | undefined },
  found: Found,
  page: { limit: number; offset: number },
): Promise<Counted & { ids: string[] }> {
  const { collected, ids } = await collect(tenant, query, found, page)
  if (collected <= countedMax && !found.isPartial) return { ...countedOf(collected), ids }
  const holds = sql<boolean>`${isOfStatus(tenant, query.status)} and ${subscriptionContains(found)}`
  const count = collected > countedMax ? collected : await countAll(tenant, holds)
  const limit = Math.min(page.limit, countedOf(count).totalCount - page.offset)
  if (limit <= 0) return { ...countedOf(count), ids: [] }
  const pieces = piecesOf(tenant, query, { holds, needsCustomer: found.isPartial })
  const window = { limit, offset: page.offset, isFromEnd: false }
  return { ...countedOf(count), ids: await listAcross(pieces, window) }
}

/**
 * Finds subscriptions by customer, product and the start of the id, up to `collectedMax`; returns the count and the
 * page.
 */
async function collect(
  tenant: Tenant,
  query: SubscriptionOrder & { status: string | undefined },
  found: Found,
  page: { limit: number; offset: number },
): Promise<{ collected: number; ids: string[] }> {
  const part = (condition: RawBuilder<unknown>) => sql`
    (select s.id from subscriptions s where ${isOfStatus(tenant, query.status)} and ${condition}
      limit ${collectedMax})`
  const { rows } = await sql<{ collected: number; ids: string[] }>`
    with found as materialized (
      ${part(sql`s.id ^@ ${found.text}`)}
      union ${part(sql`s.customer_id = any(${found.customerIds}::text[])`)}
      union ${part(sql`s.product_name = any(${found.productNames}::text[])`)})
    select (select count(*) from found) as collected,
           case when (select count(*) from found) > ${countedMax} then '{}' else array(
             select s.id from found join ${subscriptionsWithCustomers} on true
              where s.organization_id = ${tenant.organizationId} and s.id = found.id
             ${sortedWhole(query)} limit ${page.limit} offset ${page.offset}) end as ids`.execute(tenant.sql)
  return rows[0] ?? { collected: 0, ids: [] }
}

/** If too many customers match to be collected, counting may need to read all subscriptions. */
async function countAll(tenant: Tenant, holds: RawBuilder<boolean>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from ${subscriptionsWithCustomers} where ${holds} limit ${collectedMax}) as rows`.execute(
    tenant.sql,
  )
  return rows[0]?.count ?? 0
}

/** The same subscriptions as `collect` finds, as a condition on `s` and, where needed, its customer `c`. */
function subscriptionContains({ text, customerIds, productNames, isPartial }: Found): RawBuilder<boolean> {
  if (!isPartial)
    return sql<boolean>`(s.customer_id = any(${customerIds}::text[])
      or s.product_name = any(${productNames}::text[]) or s.id ^@ ${text})`
  return sql<boolean>`(${customerContains(text)} or ${nameContains(sql`s.product_name`, text)}
    or s.id ^@ ${text} or s.customer_id ^@ ${text})`
}
