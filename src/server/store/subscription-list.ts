import { type Expression, type SqlBool, sql } from 'kysely'
import { customersMatching } from './customer-search.ts'
import type { Tenant } from './database.ts'
import { containing, startingWith } from './like-pattern.ts'

/** What a list can be sorted by. */
type SubscriptionSort =
  | 'updatedAt'
  | 'companyName'
  | 'currentMrr'
  | 'productName'
  | 'status'
  | 'customerName'
  | 'customerEmail'
  | 'quantity'
  | 'billingIntervalDays'
  | 'currentPeriodStart'
  | 'currentPeriodEnd'
  | 'nextRenewalDate'

export type SubscriptionQuery = {
  /** Counts from 1. */
  page: number
  limit: number
  /** Empty: everything. */
  search: string
  status: string | undefined
  sort: SubscriptionSort
  order: 'asc' | 'desc'
}

export type ListedSubscription = Awaited<ReturnType<typeof selectRows>>[number]

/** Every subscription with its customer and the company that this customer was matched to. */
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
        .on('m.state', '=', 'linked'),
    )
    .where('s.organization_id', '=', tenant.organizationId)
}

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
      's.unsupported_reason as unsupportedReason',
      's.updated_at as updatedAt',
      'c.name as customerName',
      'c.email as customerEmail',
      'c.domain as customerDomain',
      'm.company_record_id as companyRecordId',
      'm.portal_id as portalId',
      companyName.as('companyName'),
    ])
    .execute()
}

const sorts: Record<SubscriptionSort, Expression<unknown>> = {
  updatedAt: sql.ref('s.updated_at'),
  companyName: sql`lower(${companyName})`,
  currentMrr: sql.ref('s.current_mrr_cents'),
  productName: sql`lower(s.product_name)`,
  status: sql.ref('s.status'),
  customerName: sql`lower(c.name)`,
  customerEmail: sql`lower(c.email)`,
  quantity: sql.ref('s.quantity'),
  billingIntervalDays: sql.ref('s.billing_interval_days'),
  currentPeriodStart: sql.ref('s.current_period_start'),
  currentPeriodEnd: sql.ref('s.current_period_end'),
  nextRenewalDate: sql.ref('s.next_renewal_on'),
}

/** These have a value in every row, and an index that knows nothing of where nulls go. */
const neverNull = new Set<SubscriptionSort>(['updatedAt', 'currentMrr', 'status'])

/** One page in a total order, empty values last, and how many there are in all. */
export async function listSubscriptions(
  tenant: Tenant,
  query: SubscriptionQuery,
): Promise<{ subscriptions: ListedSubscription[]; totalCount: number }> {
  const found = narrowed(tenant, query)
  const nulls = neverNull.has(query.sort) ? sql`` : sql` nulls last`
  const direction = query.order === 'asc' ? sql`asc` : sql`desc`
  const subscriptions = await selectRows(
    found
      .orderBy(sql`${sorts[query.sort]} ${direction}${nulls}`)
      .orderBy('s.id')
      .limit(query.limit)
      .offset((query.page - 1) * query.limit),
  )
  const { count } = await found.select((e) => e.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { subscriptions, totalCount: count }
}

function narrowed(tenant: Tenant, query: Pick<SubscriptionQuery, 'search' | 'status'>) {
  const all = ofOrganization(tenant)
  const ofStatus = query.status === undefined ? all : all.where('s.status', '=', query.status)
  return query.search === '' ? ofStatus : ofStatus.where(matchesSearch(tenant, query.search))
}

/** Names and addresses anywhere in the text and in any case; ids from their beginning, as they are written. */
function matchesSearch(tenant: Tenant, search: string): Expression<SqlBool> {
  const beginning = startingWith(search)
  return sql<SqlBool>`(
    s.customer_id in ${customersMatching(tenant, search)} or s.product_name ilike ${containing(search)}
    or s.id like ${beginning} or s.customer_id like ${beginning})`
}

export async function findSubscription(tenant: Tenant, id: string): Promise<ListedSubscription | undefined> {
  const [row] = await selectRows(ofOrganization(tenant).where('s.id', '=', id).limit(1))
  return row
}

/** The next renewals from a day on ('YYYY-MM-DD'), the earliest first. */
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
