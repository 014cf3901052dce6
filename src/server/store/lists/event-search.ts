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

/** Filters besides the search text. */
export type EventFilter = { mrrStatus: string | undefined; subscriptionId: string | undefined }

export type FoundEvents = Counted & { ids: string[] }

/** The filter's conditions on the event `e`. */
export function isOfEventFilter(tenant: Tenant, filter: EventFilter): RawBuilder<boolean> {
  const ofStatus = filter.mrrStatus === undefined ? sql`` : sql` and e.mrr_status = ${filter.mrrStatus}`
  const ofSubscription =
    filter.subscriptionId === undefined ? sql`` : sql` and e.subscription_id = ${filter.subscriptionId}`
  return sql<boolean>`e.organization_id = ${tenant.organizationId}${ofStatus}${ofSubscription}`
}

/** Newest first, written exactly as in every index that lists events. */
export const newestFirst = sql`order by e.occurred_at desc, e.position desc, e.id`

/** One page of the events that contain the text, newest first: collects few results, and walks the list for many. */
export async function searchEvents(
  tenant: Tenant,
  filter: EventFilter,
  found: Found,
  page: { limit: number; offset: number },
): Promise<FoundEvents> {
  const { collected, byId, ids } = await collect(tenant, filter, found, page)
  if (collected <= countedMax && !found.isPartial) return { ...countedOf(collected), ids }
  const count = collected > countedMax ? collected : await countAll(tenant, filter, found)
  const limit = Math.min(page.limit, countedOf(count).totalCount - page.offset)
  if (limit <= 0) return { ...countedOf(count), ids: [] }
  const many = { limit, offset: page.offset }
  const isWalked = found.isPartial || byId > countedMax
  const { rows } = await (isWalked ? walk : mergeNewest)(tenant, filter, found, many).execute(tenant.sql)
  return { ...countedOf(count), ids: rows.map(({ id }) => id) }
}

/**
 * Finds events by customer, product, and the start of the id of event, subscription or invoice, each up to
 * `collectedMax`. Returns the count, the largest count of one kind of id, and the page.
 */
async function collect(
  tenant: Tenant,
  filter: EventFilter,
  found: Found,
  page: { limit: number; offset: number },
): Promise<{ collected: number; byId: number; ids: string[] }> {
  const { own, subscription, invoice } = partsById(tenant, filter, found)
  const most = sql`limit ${collectedMax}`
  const ofColumn = (column: string, values: readonly string[]) => sql`
    (${keysOf(sql`where ${isOfEventFilter(tenant, filter)} and e.${sql.ref(column)} = any(${values}::text[])`)} ${most})`
  const { rows } = await sql<{ collected: number; byId: number; ids: string[] }>`
    with own as materialized (${own} ${most}), subscription as materialized (${subscription} ${most}),
         invoice as materialized (${invoice} ${most}),
         e as materialized (
           select * from own union select * from subscription union select * from invoice
           union ${ofColumn('customer_id', found.customerIds)} union ${ofColumn('product_name', found.productNames)})
    select (select count(*) from e) as collected,
           greatest((select count(*) from own), (select count(*) from subscription),
                    (select count(*) from invoice)) as "byId",
           array(select id from e ${newestFirst} limit ${page.limit} offset ${page.offset}) as ids`.execute(
    tenant.sql,
  )
  return rows[0] ?? { collected: 0, byId: 0, ids: [] }
}

/** The columns that order events. */
const keysOf = (rows: RawBuilder<unknown>) =>
  sql`select e.id, e.occurred_at, e.position from events e ${rows}`

/** The events whose own, subscription's or invoice's id starts with the text. */
function partsById(tenant: Tenant, filter: EventFilter, { text }: Found) {
  const ofFilter = isOfEventFilter(tenant, filter)
  return {
    own: keysOf(sql`where ${ofFilter} and e.id ^@ ${text}`),
    subscription: keysOf(sql`where ${ofFilter} and e.subscription_id ^@ ${text}`),
    invoice: keysOf(sql`
      join invoices i on i.organization_id = e.organization_id and i.customer_id = e.customer_id
                     and i.id = e.invoice_id
     where ${ofFilter} and i.organization_id = ${tenant.organizationId} and i.id ^@ ${text}`),
  }
}

/** For each customer and product the newest events that the page may need, and the few that ids match. */
function mergeNewest(
  tenant: Tenant,
  filter: EventFilter,
  found: Found,
  { limit, offset }: { limit: number; offset: number },
): RawBuilder<{ id: string }> {
  const { own, subscription, invoice } = partsById(tenant, filter, found)
  const ofEach = (column: string, values: readonly string[]) => sql`
    select newest.* from unnest(${values}::text[]) as each (value)
     cross join lateral (
       ${keysOf(sql`where ${isOfEventFilter(tenant, filter)} and e.${sql.ref(column)} = each.value`)}
       ${newestFirst} limit ${offset + limit}) as newest`
  return sql`
    select e.id from (
      ${ofEach('customer_id', found.customerIds)} union ${ofEach('product_name', found.productNames)}
      union ${own} union ${subscription} union ${invoice}) as e
    ${newestFirst} limit ${limit} offset ${offset}`
}

/** Walks the list from the newest event and checks each one. */
function walk(
  tenant: Tenant,
  filter: EventFilter,
  found: Found,
  { limit, offset }: { limit: number; offset: number },
): RawBuilder<{ id: string }> {
  return sql`select e.id from ${eventsFound(tenant, filter, found)} ${newestFirst} limit ${limit} offset ${offset}`
}

/** If too many customers match to be collected, counting may need to read all events. */
async function countAll(tenant: Tenant, filter: EventFilter, found: Found): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from ${eventsFound(tenant, filter, found)} limit ${collectedMax}) as rows`.execute(
    tenant.sql,
  )
  return rows[0]?.count ?? 0
}

/** The same events as `collect` finds, as a condition on each row. */
function eventsFound(tenant: Tenant, filter: EventFilter, found: Found): RawBuilder<unknown> {
  const { text } = found
  const byId = sql`e.id ^@ ${text} or e.subscription_id ^@ ${text} or e.invoice_id ^@ ${text}`
  const ofFilter = isOfEventFilter(tenant, filter)
  if (!found.isPartial)
    return sql`events e where ${ofFilter} and (e.customer_id = any(${found.customerIds}::text[])
      or e.product_name = any(${found.productNames}::text[]) or ${byId})`
  return sql`events e
    left join customers c on c.organization_id = e.organization_id and c.id = e.customer_id
   where ${ofFilter} and (${customerContains(text)} or ${nameContains(sql`e.product_name`, text)}
      or e.customer_id ^@ ${text} or ${byId})`
}
