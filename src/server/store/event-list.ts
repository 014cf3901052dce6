import { type Expression, type SqlBool, sql } from 'kysely'
import { customersMatching } from './customer-search.ts'
import type { Tenant } from './database.ts'
import { containing, startingWith } from './like-pattern.ts'

export type EventQuery = {
  /** Counts from 1. */
  page: number
  limit: number
  /** Empty: everything. */
  search: string
  mrrStatus: string | undefined
  subscriptionId: string | undefined
}

export type ListedEvent = Awaited<ReturnType<typeof selectRows>>[number]

/** Every event with its customer and the company that this customer was matched to. */
function ofOrganization(tenant: Tenant) {
  return tenant.sql
    .selectFrom('events as e')
    .leftJoin('customers as c', (join) =>
      join.onRef('c.organization_id', '=', 'e.organization_id').onRef('c.id', '=', 'e.customer_id'),
    )
    .leftJoin('matches as m', (join) =>
      join
        .onRef('m.organization_id', '=', 'e.organization_id')
        .onRef('m.customer_id', '=', 'e.customer_id')
        .on('m.state', '=', 'linked'),
    )
    .where('e.organization_id', '=', tenant.organizationId)
}

function selectRows(query: ReturnType<typeof ofOrganization>) {
  return query
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

/** One page of events, newest first, and how many there are in all. */
export async function listEvents(
  tenant: Tenant,
  query: EventQuery,
): Promise<{ events: ListedEvent[]; totalCount: number }> {
  const { count } = await narrowed(tenant, query)
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  // Which rows the page has is read off the index alone; only they are joined.
  const onPage = narrowed(tenant, query)
    .select('e.id')
    .orderBy('e.occurred_at', 'desc')
    .orderBy('e.position', 'desc')
    .orderBy('e.id')
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
  const events = await selectRows(ofOrganization(tenant).where('e.id', 'in', onPage))
  return { events, totalCount: count }
}

/** The newest events. */
export function listNewestEvents(tenant: Tenant, limit: number): Promise<ListedEvent[]> {
  return selectRows(ofOrganization(tenant).limit(limit))
}

function narrowed(tenant: Tenant, query: EventQuery) {
  let found = tenant.sql.selectFrom('events as e').where('e.organization_id', '=', tenant.organizationId)
  if (query.mrrStatus !== undefined) found = found.where('e.mrr_status', '=', query.mrrStatus)
  if (query.subscriptionId !== undefined) found = found.where('e.subscription_id', '=', query.subscriptionId)
  return query.search === '' ? found : found.where(matchesSearch(tenant, query.search))
}

/** Names and addresses anywhere in the text and in any case; ids from their beginning, as they are written. */
function matchesSearch(tenant: Tenant, search: string): Expression<SqlBool> {
  const beginning = startingWith(search)
  return sql<SqlBool>`(
    e.customer_id in ${customersMatching(tenant, search)} or e.product_name ilike ${containing(search)}
    or e.id like ${beginning} or e.subscription_id like ${beginning}
    or e.invoice_id like ${beginning} or e.customer_id like ${beginning})`
}
