import { type RawBuilder, sql } from 'kysely'
import type { PriceCadence } from '#domain/subscription.ts'
import { currentPortal } from '../crm/current-portal.ts'
import type { Tenant } from '../postgres/database.ts'
import { readAlongIndexes } from '../postgres/planner.ts'
import { countListed } from '../totals/list-totals.ts'
import { customersOfFilter, partsOf, withCustomers } from './filtered-customers.ts'
import { findText } from './find-text.ts'
import {
  isByStatusAlone,
  isCanceling,
  type SubscriptionFilter,
  subscriptionsOfFilter,
} from './list-filters.ts'
import { withRecords } from './of-record.ts'
import { type Counted, readPage, type Stretch, type WantedPage } from './page.ts'
import { searchPage, searchWhole, theseAlone } from './search-page.ts'
import { nearSubscriptions, type SubscriptionOrder, subscriptionsWhere } from './subscription-order.ts'
import { subscriptionsFound } from './subscription-search.ts'

/** An empty search finds everything. */
export type SubscriptionQuery = SubscriptionOrder & SubscriptionFilter & WantedPage & { search: string }

export type ListedSubscription = Awaited<ReturnType<typeof selectRows>>[number]

/** Every subscription with its customer and that customer's matched company. */
function ofOrganization(tenant: Tenant) {
  return tenant.sql
    .selectFrom('subscriptions as s')
    .leftJoin('customers as c', (join) =>
      join.onRef('c.organization_id', '=', 's.organization_id').onRef('c.id', '=', 's.customer_id'),
    )
    .leftJoin('matches as m', (join) =>
      join
        .onRef('m.organization_id', '=', 's.organization_id')
        .onRef('m.customer_id', '=', 's.customer_id')
        .on('m.portal_id', '=', currentPortal(tenant))
        .on('m.state', '=', 'linked'),
    )
    .where('s.organization_id', '=', tenant.organizationId)
}

/** The intervals of the prices in a subscription's items. */
export function cadencesOf(body: RawBuilder<unknown>): RawBuilder<PriceCadence[]> {
  return sql<PriceCadence[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('interval', price -> 'interval', 'count', price -> 'intervalCount')), '[]')
      from jsonb_path_query(${body}, '$.items[*].price') as price)`
}

/** The UTC day of a planned cancellation: the stated instant, else the end of the period. */
const endsOn = sql<string | null>`case when ${isCanceling} then
  (coalesce(to_timestamp((s.body ->> 'cancelAt')::bigint), s.current_period_end) at time zone 'UTC')::date end`

/** The UTC day on which it ended; null while it lasts. */
const endedOn = sql<string | null>`(to_timestamp((s.body ->> 'endedAt')::bigint) at time zone 'UTC')::date`

const companyName = sql<string | null>`coalesce(m.company_name, c.name)`

function selectRows(query: ReturnType<typeof ofOrganization>) {
  return query
    .select([
      's.id',
      's.status',
      's.current_mrr_cents as currentMrrCents',
      's.currency',
      's.quantity',
      's.product_name as productName',
      's.billing_interval_days as billingIntervalDays',
      's.current_period_start as currentPeriodStart',
      's.current_period_end as currentPeriodEnd',
      's.next_renewal_on as nextRenewalOn',
      endsOn.as('endsOn'),
      endedOn.as('endedOn'),
      's.unsupported_reason as unsupportedReason',
      's.reporting_mrr_cents as reportingMrrCents',
      's.reporting_rate as reportingRate',
      sql<string | null>`(select reporting_currency from organization_settings o
         where o.organization_id = s.organization_id)`.as('reportingCurrency'),
      's.updated_at as updatedAt',
      's.customer_id as customerId',
      'c.erasure_id as erasureId',
      'c.name as customerName',
      'c.email as customerEmail',
      'c.domain as customerDomain',
      'm.company_record_id as companyRecordId',
      'm.portal_id as portalId',
      companyName.as('companyName'),
      cadencesOf(sql`s.body`).as('cadences'),
    ])
    .execute()
}

/** One page in a total order, empty values last, with the total. */
export async function listSubscriptions(
  tenant: Tenant,
  query: SubscriptionQuery,
): Promise<Counted & { subscriptions: ListedSubscription[] }> {
  const { search, page, limit, sort, order, ...filter } = query
  const read = search !== '' ? foundPage : isByStatusAlone(filter) ? wholePage : filteredPage
  const { ids, ...counted } = await read(tenant, await withFew(tenant, query))
  return { ...counted, subscriptions: await readSubscriptions(tenant, ids) }
}

/** With the few rows that parts of the filter leave, if they are few. */
async function withFew<Filter extends SubscriptionFilter>(tenant: Tenant, filter: Filter): Promise<Filter> {
  return withRecords(tenant, 'subscription', await withCustomers(tenant, filter))
}

/** These subscriptions, in the order of the ids. */
export async function readSubscriptions(
  tenant: Tenant,
  ids: readonly string[],
): Promise<ListedSubscription[]> {
  const rows = await selectRows(ofOrganization(tenant).where('s.id', '=', sql<string>`any(${ids}::text[])`))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

async function wholePage(tenant: Tenant, query: SubscriptionQuery): Promise<Counted & { ids: string[] }> {
  const kept = countListed(tenant, 'subscriptions', { statuses: query.status })
  const counted = { totalCount: await readAlongIndexes(tenant, kept), isCapped: false }
  const list = subscriptionsWhere(tenant, query, { holds: subscriptionsOfFilter(tenant, query) })
  return { ...counted, ids: await readPage(tenant, query, counted, list) }
}

/** Rows that meet a filter are counted like those that a search finds, up to 1,000. */
async function filteredPage(tenant: Tenant, query: SubscriptionQuery): Promise<Counted & { ids: string[] }> {
  await readAlongIndexes(tenant)
  const holds = subscriptionsOfFilter(tenant, query)
  const condition = { holds, ofCustomer: customersOfFilter(query) }
  const each = (selected: RawBuilder<unknown>) =>
    partsOf(query).map(
      (part) => sql`select ${selected} from subscriptions s where ${subscriptionsOfFilter(tenant, part)}`,
    )
  return searchPage(
    tenant,
    query,
    { isPartial: false },
    {
      parts: each(sql`s.id`),
      few: (ids) => {
        const from = theseAlone(tenant, 'subscriptions', ids, 's')
        return subscriptionsWhere(tenant, query, { from, holds })
      },
      near: (max) => nearSubscriptions(tenant, query, condition, max),
      lookedUp: () => {
        const from = sql`(${sql.join(each(sql`s.*`), sql` union all `)} offset 0) as s`
        return subscriptionsWhere(tenant, query, { from, holds: sql`true` })
      },
      many: () => {
        const long = subscriptionsOfFilter(tenant, { ...query, isLong: true })
        return subscriptionsWhere(tenant, query, { ...condition, holds: long })
      },
      whole: () => subscriptionsWhere(tenant, query, condition),
    },
  )
}

async function foundPage(tenant: Tenant, query: SubscriptionQuery): Promise<Counted & { ids: string[] }> {
  await readAlongIndexes(tenant)
  const found = await findText(tenant, query.search, 'subscriptions')
  return searchPage(tenant, query, found, subscriptionsFound(tenant, query, found))
}

/** All subscriptions that meet search and filters, in the order of the list. */
export async function wholeSubscriptions(
  tenant: Tenant,
  asked: Omit<SubscriptionQuery, keyof WantedPage>,
): Promise<Stretch[]> {
  const query = await withFew(tenant, asked)
  if (query.search === '') {
    const holds = subscriptionsOfFilter(tenant, query)
    return subscriptionsWhere(tenant, query, { holds, ofCustomer: customersOfFilter(query) })
  }
  const found = await findText(tenant, query.search, 'subscriptions')
  return searchWhole(tenant, found, subscriptionsFound(tenant, query, found))
}

export async function findSubscription(tenant: Tenant, id: string): Promise<ListedSubscription | undefined> {
  const [row] = await selectRows(ofOrganization(tenant).where('s.id', '=', id).limit(1))
  return row
}

/** The subscriptions of a customer, the highest MRR first, and their number. */
export async function listSubscriptionsOf(
  tenant: Tenant,
  customerId: string,
  limit: number,
): Promise<{ count: number; subscriptions: ListedSubscription[] }> {
  const ofCustomer = ofOrganization(tenant)
    .where('s.customer_id', '=', customerId)
    .where('s.quantity', 'is not', null)
  const { count } = await ofCustomer
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const first = ofCustomer
    .orderBy('s.reporting_mrr_cents', (order) => order.desc().nullsLast())
    .orderBy('s.id')
    .limit(limit)
  return { count, subscriptions: await selectRows(first) }
}

/** The next renewals from a day ('YYYY-MM-DD') on, earliest first. */
export function listUpcomingRenewals(
  tenant: Tenant,
  query: { from: string; limit: number },
): Promise<ListedSubscription[]> {
  return selectRows(
    ofOrganization(tenant)
      .where('s.next_renewal_on', '>=', query.from)
      .orderBy('s.next_renewal_on')
      .orderBy('s.id')
      .limit(query.limit),
  )
}
