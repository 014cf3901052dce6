import { type RawBuilder, sql } from 'kysely'
import { currentPortal } from '../crm/current-portal.ts'
import type { Tenant } from '../postgres/database.ts'
import { readAlongIndexes } from '../postgres/planner.ts'
import { countListed } from '../totals/list-totals.ts'
import { type EventFilter, isOfEventFilter, newestFirst, searchEvents } from './event-search.ts'
import { type Counted, findText } from './list-search.ts'
import { windowOf } from './page-window.ts'

export type EventQuery = EventFilter & {
  /** Counts from 1. */
  page: number
  limit: number
  /** An empty search finds everything. */
  search: string
}

export type ListedEvent = Awaited<ReturnType<typeof selectRows>>[number]

/** One page of events, newest first, with the total. */
export async function listEvents(
  tenant: Tenant,
  query: EventQuery,
): Promise<Counted & { events: ListedEvent[] }> {
  const { ids, ...counted } = await (query.search === '' ? pageOf(tenant, query) : searchPage(tenant, query))
  return { ...counted, events: await selectRows(tenant, ids) }
}

/** Reads the ids of the page from an index first, so that only those rows are joined. */
async function pageOf(tenant: Tenant, query: EventQuery): Promise<Counted & { ids: string[] }> {
  const counted = { totalCount: await readAlongIndexes(tenant, countOf(tenant, query)), isCapped: false }
  const window = windowOf(query, counted.totalCount)
  if (window === null) return { ...counted, ids: [] }
  const order = window.isFromEnd ? sql`order by e.occurred_at, e.position, e.id desc` : newestFirst
  const { rows } = await sql<{ id: string }>`
    select e.id from events e where ${isOfEventFilter(tenant, query)}
    ${order} limit ${window.limit} offset ${window.offset}`.execute(tenant.sql)
  return { ...counted, ids: rows.map(({ id }) => id) }
}

async function searchPage(tenant: Tenant, query: EventQuery): Promise<Counted & { ids: string[] }> {
  await readAlongIndexes(tenant)
  const found = await findText(tenant, query.search, 'events')
  const page = { limit: query.limit, offset: (query.page - 1) * query.limit }
  return searchEvents(tenant, query, found, page)
}

/** The newest events. */
export async function listNewestEvents(tenant: Tenant, limit: number): Promise<ListedEvent[]> {
  const { rows } = await sql<{ id: string }>`
    select id from events where organization_id = ${tenant.organizationId}
     order by occurred_at desc, position desc, id limit ${limit}`.execute(tenant.sql)
  return selectRows(
    tenant,
    rows.map(({ id }) => id),
  )
}

/** Counts of all events and of one status are stored; a subscription has few events to count. */
function countOf(tenant: Tenant, filter: EventFilter): RawBuilder<number> {
  if (filter.subscriptionId !== undefined)
    return sql<number>`select count(*) from events e where ${isOfEventFilter(tenant, filter)}`
  return countListed(tenant, 'events', { status: filter.mrrStatus })
}

/** These events with their customers and matched companies, newest first. */
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
    .where('e.organization_id', '=', tenant.organizationId)
    .where('e.id', '=', sql<string>`any(${ids}::text[])`)
    .select([
      'e.id',
      'e.occurred_at as occurredAt',
      'e.invoice_id as invoiceId',
      'e.subscription_id as subscriptionId',
      'e.mrr_status as mrrStatus',
      'e.change_type as changeType',
      'e.previous_mrr_cents as previousMrrCents',
      'e.current_mrr_cents as currentMrrCents',
      'e.mrr_change_cents as mrrChangeCents',
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
    .orderBy('e.occurred_at', 'desc')
    .orderBy('e.position', 'desc')
    .orderBy('e.id')
    .execute()
}
