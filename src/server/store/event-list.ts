import { type RawBuilder, sql } from 'kysely'
import { readAlongIndexes } from './along-indexes.ts'
import { currentPortal } from './current-portal.ts'
import type { Tenant } from './database.ts'
import {
  countFoundEvents,
  type EventFilter,
  eventContains,
  foundEventIds,
  isOfEventFilter,
} from './event-search.ts'
import { type Found, findText } from './list-search.ts'
import { type PageWindow, windowOf } from './page-window.ts'

export type EventQuery = EventFilter & {
  /** Counts from 1. */
  page: number
  limit: number
  /** Empty: everything. */
  search: string
}

export type ListedEvent = Awaited<ReturnType<typeof selectRows>>[number]

/** One page of events, newest first, and how many there are in all; of a search, at most `countedMax`. */
export async function listEvents(
  tenant: Tenant,
  query: EventQuery,
): Promise<{ events: ListedEvent[]; totalCount: number }> {
  await readAlongIndexes(tenant)
  const found = query.search === '' ? null : await findText(tenant, query.search, 'events')
  const totalCount = await (found ? countFoundEvents(tenant, query, found) : countEvents(tenant, query))
  const window = windowOf(query, { totalCount, isExact: found === null })
  if (window === null) return { events: [], totalCount }
  const { rows } = await idsOnPage(tenant, query, found, window).execute(tenant.sql)
  return {
    events: await selectRows(
      tenant,
      rows.map(({ id }) => id),
    ),
    totalCount,
  }
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

/** Of all events, or all of one status, the number is kept; a subscription has few. */
async function countEvents(tenant: Tenant, filter: EventFilter): Promise<number> {
  if (filter.subscriptionId !== undefined) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from events e where ${isOfEventFilter(tenant, filter)}`.execute(tenant.sql)
    return rows[0]?.count ?? 0
  }
  const ofStatus = filter.mrrStatus === undefined ? sql`` : sql` and mrr_status = ${filter.mrrStatus}`
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(difference), 0)::bigint as count from event_counts
     where organization_id = ${tenant.organizationId}${ofStatus}`.execute(tenant.sql)
  return rows[0]?.count ?? 0
}

/** Which rows the page has is read off an index; only they are joined and shown. */
function idsOnPage(
  tenant: Tenant,
  filter: EventFilter,
  found: Found | null,
  { limit, offset, isFromEnd }: PageWindow,
): RawBuilder<{ id: string }> {
  const direction = isFromEnd
    ? sql`e.occurred_at, e.position, e.id desc`
    : sql`e.occurred_at desc, e.position desc, e.id`
  const page = sql`order by ${direction} limit ${limit} offset ${offset}`
  const ofFilter = isOfEventFilter(tenant, filter)
  if (found === null) return sql`select e.id from events e where ${ofFilter} ${page}`
  if (found.isFew)
    return sql`select e.id from events e where ${ofFilter} and e.id in (${foundEventIds(tenant, found)}) ${page}`
  return sql`
    select e.id from events e
      left join customers c on c.organization_id = e.organization_id and c.id = e.customer_id
     where ${ofFilter} and ${eventContains(found)} ${page}`
}

/** These events with their customers and the companies that those were matched to, newest first. */
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
