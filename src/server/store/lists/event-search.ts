import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { countedMax, customerContains, customerIsFound, type Found, nameContains } from './find-text.ts'
import { type EventFilter, eventsOfFilter } from './list-filters.ts'
import { type SortKey, type Stretch, sortedBy, turned, turnedKeys, type WantedPage } from './page.ts'
import { type SearchedRows, theseAlone } from './search-page.ts'

/** The columns by which the list of events can be sorted. */
export type EventSort = 'transactionDate' | 'mrrChange'

export type EventOrder = { sort: EventSort; order: 'asc' | 'desc' }

export const newestFirst: EventOrder = { sort: 'transactionDate', order: 'desc' }

/** Newest first, as in every index that lists events. */
export const eventKeys: readonly SortKey[] = [
  { by: sql`e.occurred_at`, type: 'timestamptz', isDescending: true },
  { by: sql`e.position`, type: 'bigint', isDescending: true },
  { by: sql`e.id`, type: 'text', isDescending: false },
]

const change = sql`e.reporting_change_cents`

/** These events, newest first, in another order. By change, those that have no rate come last. */
export function inOrder(newest: Stretch, { sort, order }: EventOrder): Stretch[] {
  const directed = (stretch: Stretch) => (order === 'desc' ? stretch : turned(stretch))
  if (sort === 'transactionDate') return [directed(newest)]
  const byChange: SortKey = { by: change, type: 'bigint', isDescending: true }
  return [
    directed({
      ...newest,
      where: sql<boolean>`${newest.where} and ${change} is not null`,
      order: [byChange, ...newest.order],
    }),
    { ...newest, where: sql<boolean>`${newest.where} and ${change} is null` },
  ]
}

/** The events `e` that meet the filter and a condition, newest first. */
export function eventsWhere(
  tenant: Tenant,
  filter: EventFilter,
  {
    from = sql`events e`,
    holds = sql<boolean>`true`,
  }: { from?: RawBuilder<unknown>; holds?: RawBuilder<boolean> },
): Stretch {
  const where = sql<boolean>`${eventsOfFilter(tenant, filter)} and ${holds}`
  return { id: sql<string>`e.id`, from, where, order: eventKeys }
}

/**
 * The events that contain the text: by customer, product, the number of the invoice, and the start of the id of event,
 * subscription or invoice.
 */
export function eventsFound(
  tenant: Tenant,
  query: EventFilter & EventOrder & WantedPage,
  found: Found,
): SearchedRows {
  const byId = ofIds(tenant, query, found)
  const ofColumn = (column: string, values: readonly string[]) =>
    keysOf(sql`where ${eventsOfFilter(tenant, query)} and e.${sql.ref(column)} = any(${values}::text[])`)
  const parts = [
    ...byId,
    ofColumn('customer_id', found.customerIds),
    ofColumn('product_name', found.productNames),
  ]
  const isByDate = query.sort === 'transactionDate'
  return {
    parts: parts.map(idsOf),
    few: (ids) =>
      inOrder(eventsWhere(tenant, query, { from: theseAlone(tenant, 'events', ids, 'e') }), query),
    many: (counts) => {
      const isWalked = found.isPartial || !isByDate || Math.max(...counts.slice(0, byId.length)) > countedMax
      return isWalked ? inOrder(walked(tenant, query, found), query) : [firstOfEach(tenant, query, found)]
    },
    ...(found.isPartial || isByDate ? {} : { lookedUp: () => inOrder(lookedUp(tenant, parts), query) }),
    whole: () => inOrder(walked(tenant, query, found), query),
  }
}

const idsOf = (part: RawBuilder<unknown>) => sql`select id from (${part}) as e`

/** The rows of these parts, each looked up once. */
function lookedUp(tenant: Tenant, parts: readonly RawBuilder<unknown>[]): Stretch {
  const from = sql`(
    select e.* from (${sql.join(parts.map(idsOf), sql` union `)}) as found
      join events e on e.organization_id = ${tenant.organizationId} and e.id = found.id offset 0) as e`
  return { id: sql<string>`e.id`, from, where: sql<boolean>`true`, order: eventKeys }
}

/** The columns that order events. */
const keysOf = (rows: RawBuilder<unknown>) =>
  sql`select e.id, e.occurred_at, e.position from events e ${rows}`

/** The events whose own, subscription's or invoice's id starts with the text, or whose invoice has it as its number. */
function ofIds(tenant: Tenant, filter: EventFilter, { text, invoiceIds }: Found): RawBuilder<unknown>[] {
  const ofFilter = eventsOfFilter(tenant, filter)
  const ofInvoices = (holds: RawBuilder<unknown>) =>
    keysOf(sql`
      join invoices i on i.organization_id = e.organization_id and i.customer_id = e.customer_id
                     and i.id = e.invoice_id
     where ${ofFilter} and i.organization_id = ${tenant.organizationId} and ${holds}`)
  return [
    keysOf(sql`where ${ofFilter} and e.id ^@ ${text}`),
    keysOf(sql`where ${ofFilter} and e.subscription_id ^@ ${text}`),
    ofInvoices(sql`i.id ^@ ${text}`),
    ...(invoiceIds.length === 0 ? [] : [ofInvoices(sql`i.id = any(${invoiceIds}::text[])`)]),
  ]
}

/** For each customer and product the first events by date that the page may need, and the few that ids match. */
function firstOfEach(tenant: Tenant, query: EventFilter & EventOrder & WantedPage, found: Found): Stretch {
  const order = query.order === 'desc' ? eventKeys : turnedKeys(eventKeys)
  const ofEach = (column: string, values: readonly string[]) => sql`
    select first.* from unnest(${values}::text[]) as each (value)
     cross join lateral (
       ${keysOf(sql`where ${eventsOfFilter(tenant, query)} and e.${sql.ref(column)} = each.value`)}
       order by ${sortedBy(order)} limit ${query.page * query.limit}) as first`
  const all = [
    ofEach('customer_id', found.customerIds),
    ofEach('product_name', found.productNames),
    ...ofIds(tenant, query, found),
  ]
  const from = sql`(${sql.join(all, sql` union `)}) as e`
  return { id: sql<string>`e.id`, from, where: sql<boolean>`true`, order }
}

/** Whether the id of any event, or of its subscription or invoice, starts with the text. */
export async function isOfIds(tenant: Tenant, found: Found): Promise<boolean> {
  const byId = ofIds(tenant, {}, found).map((part) => sql`exists (${part})`)
  const { rows } = await sql`select where ${sql.join(byId, sql` or `)}`.execute(tenant.sql)
  return rows.length > 0
}

/**
 * The events that contain the text, in any order: each customer is searched once, and an id that no event has is not
 * looked for, so that an index alone can answer.
 */
export function eventsContaining(
  tenant: Tenant,
  filter: EventFilter,
  found: Found,
  hasIds: boolean,
): Stretch {
  const { text, customerIds, productNames, isPartial } = found
  const byText = isPartial
    ? [
        sql`coalesce(c.is_found, e.customer_id ^@ ${text})`,
        ...(productNames.length === 0 ? [] : [nameContains(sql`e.product_name`, text)]),
      ]
    : [sql`e.customer_id = any(${customerIds}::text[])`, sql`e.product_name = any(${productNames}::text[])`]
  const holds = sql<boolean>`(${sql.join([...byText, ...(hasIds ? [isOfId(found)] : [])], sql` or `)})`
  if (!isPartial) return eventsWhere(tenant, filter, { holds })
  const from = sql`events e left join (
    select c.id, ${customerIsFound(text)} as is_found from customers c
     where c.organization_id = ${tenant.organizationId} offset 0) as c on c.id = e.customer_id`
  return eventsWhere(tenant, filter, { from, holds })
}

/** The events of these customers. */
export function eventsOfCustomers(tenant: Tenant, filter: EventFilter, ids: readonly string[]): Stretch {
  return eventsWhere(tenant, filter, { holds: sql`e.customer_id = any(${ids}::text[])` })
}

/** The events that do not contain the text: of the customers that do not, or of none. */
export function eventsWithoutText(
  tenant: Tenant,
  filter: EventFilter,
  found: Found,
  others: readonly string[],
): Stretch[] {
  const without = (ofThese: RawBuilder<unknown>) =>
    eventsWhere(tenant, filter, { holds: sql`${ofThese} and (${containsItself(found)}) is not true` })
  return [without(sql`e.customer_id = any(${[...others, '']}::text[])`), without(sql`e.customer_id is null`)]
}

/** Whether the event `e` contains the text, whatever its customer. */
const containsItself = (found: Found) =>
  sql`${nameContains(sql`e.product_name`, found.text)} or ${isOfId(found)}`

const isOfId = ({ text, invoiceIds }: Found) =>
  sql`e.id ^@ ${text} or e.subscription_id ^@ ${text} or e.invoice_id ^@ ${text}
    or e.invoice_id = any(${invoiceIds}::text[])`

/** Checks each event of the list, from the newest on. */
function walked(tenant: Tenant, filter: EventFilter, found: Found): Stretch {
  const { text } = found
  if (!found.isPartial)
    return eventsWhere(tenant, filter, {
      holds: sql`(e.customer_id = any(${found.customerIds}::text[])
        or e.product_name = any(${found.productNames}::text[]) or ${isOfId(found)})`,
    })
  return eventsWhere(tenant, filter, {
    from: sql`events e
      left join customers c on c.organization_id = e.organization_id and c.id = e.customer_id`,
    holds: sql`(${customerContains(text)} or e.customer_id ^@ ${text} or ${containsItself(found)})`,
  })
}
