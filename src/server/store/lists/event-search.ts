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

/** What events are narrowed to. */
export type EventFilter = { mrrStatus: string | undefined; subscriptionId: string | undefined }

export type FoundEvents = Counted & { ids: string[] }

/** Conditions on the event `e` but for a search. */
export function isOfEventFilter(tenant: Tenant, filter: EventFilter): RawBuilder<boolean> {
  const ofStatus = filter.mrrStatus === undefined ? sql`` : sql` and e.mrr_status = ${filter.mrrStatus}`
  const ofSubscription =
    filter.subscriptionId === undefined ? sql`` : sql` and e.subscription_id = ${filter.subscriptionId}`
  return sql<boolean>`e.organization_id = ${tenant.organizationId}${ofStatus}${ofSubscription}`
}

/** The newest first, as `e` stands in every index that events are listed by. */
export const newestFirst = sql`order by e.occurred_at desc, e.position desc, e.id`

/** A page of the events in which the text is found, newest first: of few all are collected, of many the list is walked. */
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
 * What is found by customer and product, and by the beginning of the event's own id and of those of its subscription and
 * invoice, each part up to `collectedMax`: how many events, the most that one kind of id gave, and the page.
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

/** What events are put in order by. */
const keysOf = (rows: RawBuilder<unknown>) =>
  sql`select e.id, e.occurred_at, e.position from events e ${rows}`

/** The events in which the text begins the id of their own, of their subscription or of their invoice. */
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

/** Of each customer and product as many of the newest as the page may need, and what is found by ids, which is little. */
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

/** Goes from the newest event down the list and looks at each. */
function walk(
  tenant: Tenant,
  filter: EventFilter,
  found: Found,
  { limit, offset }: { limit: number; offset: number },
): RawBuilder<{ id: string }> {
  return sql`select e.id from ${eventsFound(tenant, filter, found)} ${newestFirst} limit ${limit} offset ${offset}`
}

/** Where more customers are found than are collected, all events may have to be looked through to count them. */
async function countAll(tenant: Tenant, filter: EventFilter, found: Found): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from ${eventsFound(tenant, filter, found)} limit ${collectedMax}) as rows`.execute(
    tenant.sql,
  )
  return rows[0]?.count ?? 0
}

/** The same events as are collected, told row by row. */
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
