import { type RawBuilder, sql } from 'kysely'
import { currentPortal } from '../crm/current-portal.ts'
import type { Tenant } from '../postgres/database.ts'
import { readAlongIndexes } from '../postgres/planner.ts'
import { countListed } from '../totals/list-totals.ts'
import {
  type EventOrder,
  eventsContaining,
  eventsFound,
  eventsWhere,
  inOrder,
  isOfIds,
  newestFirst,
} from './event-search.ts'
import { partsOf, withCustomers } from './filtered-customers.ts'
import { type Found, findText } from './find-text.ts'
import { type EventFilter, eventsOfFilter, isByStatusAlone, withSegment } from './list-filters.ts'
import { withRecords } from './of-record.ts'
import { type Counted, readPage, type Stretch, sortedBy, type WantedPage } from './page.ts'
import { type SearchedRows, searchPage, searchWhole, theseAlone } from './search-page.ts'

type Asked = EventFilter & EventOrder & { search: string }

/** An empty search finds everything. */
export type EventQuery = Asked & WantedPage

export type ListedEvent = Awaited<ReturnType<typeof selectRows>>[number]

/** With the few rows that parts of the filter leave, if they are few. */
async function withFew<Filter extends EventFilter>(tenant: Tenant, filter: Filter): Promise<Filter> {
  return withRecords(tenant, 'event', await withCustomers(tenant, await withSegment(tenant, filter)))
}

/** One page of events with the total. */
export async function listEvents(
  tenant: Tenant,
  query: EventQuery,
): Promise<Counted & { events: ListedEvent[] }> {
  const { search, page, limit, sort, order, subscriptionId, ...filter } = query
  const read = search !== '' ? foundPage : isByStatusAlone(filter) ? wholePage : filteredPage
  const { ids, ...counted } = await read(tenant, await withFew(tenant, query))
  return { ...counted, events: await readEvents(tenant, ids) }
}

async function wholePage(tenant: Tenant, query: EventQuery): Promise<Counted & { ids: string[] }> {
  const list = eventsWhere(tenant, query, {})
  const totalCount = await readAlongIndexes(tenant, countOf(tenant, query, list))
  const counted = { totalCount, isCapped: false }
  return { ...counted, ids: await readPage(tenant, query, counted, inOrder(list, query)) }
}

/** Rows that meet a filter are counted like those that a search finds, up to 1,000. */
async function filteredPage(tenant: Tenant, query: EventQuery): Promise<Counted & { ids: string[] }> {
  await readAlongIndexes(tenant)
  const each = (selected: RawBuilder<unknown>) =>
    partsOf(query).map((part) => sql`select ${selected} from events e where ${eventsOfFilter(tenant, part)}`)
  const sorted = (filter: EventFilter, rows: { from?: RawBuilder<unknown> } = {}) =>
    inOrder(eventsWhere(tenant, filter, rows), query)
  return searchPage(
    tenant,
    query,
    { isPartial: false },
    {
      parts: each(sql`e.id`),
      few: (ids) => sorted(query, { from: theseAlone(tenant, 'events', ids, 'e') }),
      near: (max) => sorted(query, { from: nearest(tenant, query, max) }).slice(0, 1),
      lookedUp: () => {
        const from = sql`(${sql.join(each(sql`e.*`), sql` union all `)} offset 0) as e`
        return sorted({}, { from })
      },
      many: () => sorted({ ...query, isLong: true }),
      whole: () => sorted(query),
    },
  )
}

/** The first events of the list, whatever the filter asks beside days and statuses. */
function nearest(tenant: Tenant, query: EventFilter & EventOrder, max: number): RawBuilder<unknown> {
  const { mrrStatus, from, to } = query
  const [first] = inOrder(eventsWhere(tenant, { mrrStatus, from, to }, {}), query)
  if (first === undefined) throw new Error('An order of events begins with a stretch.')
  const { where, order } = first
  return sql`(select e.* from events e where ${where} order by ${sortedBy(order)} limit ${max}) as e`
}

async function foundPage(tenant: Tenant, query: EventQuery): Promise<Counted & { ids: string[] }> {
  await readAlongIndexes(tenant)
  const found = await findText(tenant, query.search, 'events')
  return searchPage(tenant, query, found, eventsFound(tenant, query, found))
}

/** Totals of all events and of each status are kept; a subscription has few events to count. */
function countOf(tenant: Tenant, filter: EventFilter, { from, where }: Stretch): RawBuilder<number> {
  return filter.subscriptionId === undefined
    ? countListed(tenant, 'events', { statuses: filter.mrrStatus })
    : sql<number>`select count(*) from ${from} where ${where}`
}

/** All events that meet search and filters, in the order of the list. */
export function wholeEvents(tenant: Tenant, asked: Asked): Promise<Stretch[]> {
  return allEvents(tenant, asked, async () => ({}))
}

/** The same events in any order, to be summed. */
export function eventsToSum(tenant: Tenant, asked: Omit<Asked, keyof EventOrder>): Promise<Stretch[]> {
  return allEvents(tenant, { ...asked, ...newestFirst }, async (filter, found) => {
    const containing = eventsContaining(tenant, filter, found, await isOfIds(tenant, found))
    return { whole: () => [containing] }
  })
}

/** All events that meet search and filters. `readMany` replaces how frequent ones are read, which is in the list's order. */
async function allEvents(
  tenant: Tenant,
  asked: Asked,
  readMany: (filter: EventFilter, found: Found) => Promise<Partial<SearchedRows>>,
): Promise<Stretch[]> {
  const query = await withFew(tenant, asked)
  if (query.search === '') return inOrder(eventsWhere(tenant, query, {}), query)
  const found = await findText(tenant, query.search, 'events')
  const rows = eventsFound(tenant, { ...query, page: 1, limit: 1 }, found)
  return searchWhole(tenant, found, { ...rows, ...(await readMany(query, found)) })
}

/** The newest events. */
export async function listNewestEvents(tenant: Tenant, limit: number): Promise<ListedEvent[]> {
  const { rows } = await sql<{ id: string }>`
    select id from events where organization_id = ${tenant.organizationId}
     order by occurred_at desc, position desc, id limit ${limit}`.execute(tenant.sql)
  return readEvents(
    tenant,
    rows.map(({ id }) => id),
  )
}

/** The newest events of a customer, and the number of all. */
export async function listEventsOf(
  tenant: Tenant,
  customerId: string,
  limit: number,
): Promise<{ count: number; events: ListedEvent[] }> {
  const { rows } = await sql<{ id: string; count: number }>`
    select id, count(*) over () as count from events
     where organization_id = ${tenant.organizationId} and customer_id = ${customerId}
     order by occurred_at desc, position desc, id limit ${limit}`.execute(tenant.sql)
  const events = await readEvents(
    tenant,
    rows.map(({ id }) => id),
  )
  return { count: Number(rows[0]?.count ?? 0), events }
}

/** Where an event stands in the list of its subscription; undefined if the event does not exist. */
export async function findEventPlace(
  tenant: Tenant,
  id: string,
): Promise<{ subscriptionId: string; place: number } | undefined> {
  const { rows } = await sql<{ subscriptionId: string; place: number }>`
    select e.subscription_id as "subscriptionId",
           (select count(*) + 1 from events n
             where n.organization_id = e.organization_id and n.subscription_id = e.subscription_id
               and n.occurred_at >= e.occurred_at
               and (n.occurred_at > e.occurred_at or n.position > e.position
                 or (n.position = e.position and n.id < e.id))) as place
      from events e where e.organization_id = ${tenant.organizationId} and e.id = ${id}`.execute(tenant.sql)
  return rows[0]
}

/** These events with their customers and matched companies, in the order of the ids. */
export async function readEvents(tenant: Tenant, ids: readonly string[]): Promise<ListedEvent[]> {
  const rows = await selectRows(tenant, ids)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

function selectRows(tenant: Tenant, ids: readonly string[]) {
  return tenant.sql
    .selectFrom('events as e')
    .leftJoin('customers as c', (join) =>
      join.onRef('c.organization_id', '=', 'e.organization_id').onRef('c.id', '=', 'e.customer_id'),
    )
    .leftJoin('matches as m', (join) =>
      join
        .onRef('m.organization_id', '=', 'e.organization_id')
        .onRef('m.customer_id', '=', 'e.customer_id')
        .on('m.portal_id', '=', currentPortal(tenant))
        .on('m.state', '=', 'linked'),
    )
    .leftJoin('invoices as i', (join) =>
      join.onRef('i.organization_id', '=', 'e.organization_id').onRef('i.id', '=', 'e.invoice_id'),
    )
    .where('e.organization_id', '=', tenant.organizationId)
    .where('e.id', '=', sql<string>`any(${ids}::text[])`)
    .select([
      'e.id',
      'e.occurred_at as occurredAt',
      'e.invoice_id as invoiceId',
      'i.number as invoiceNumber',
      'e.subscription_id as subscriptionId',
      'e.customer_id as customerId',
      'e.mrr_status as mrrStatus',
      'e.change_type as changeType',
      'e.previous_mrr_cents as previousMrrCents',
      'e.current_mrr_cents as currentMrrCents',
      'e.mrr_change_cents as mrrChangeCents',
      'e.reporting_change_cents as reportingChangeCents',
      'e.reporting_rate as reportingRate',
      sql<string | null>`(select reporting_currency from organization_settings o
         where o.organization_id = e.organization_id)`.as('reportingCurrency'),
      'e.currency',
      'e.previous_quantity as previousQuantity',
      'e.current_quantity as currentQuantity',
      'e.product_name as productName',
      'e.payment_method as paymentMethod',
      'c.name as customerName',
      'c.email as customerEmail',
      'c.domain as customerDomain',
      'm.company_record_id as companyRecordId',
      'm.portal_id as portalId',
      sql<string | null>`coalesce(m.company_name, c.name)`.as('companyName'),
    ])
    .execute()
}
