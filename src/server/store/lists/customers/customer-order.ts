import { type RawBuilder, sql } from 'kysely'
import { currentPortal } from '../../crm/current-portal.ts'
import type { Tenant } from '../../postgres/database.ts'
import { all, between, until } from '../filter-conditions.ts'
import { type FirstPaid, firstPaidConditions } from '../filtered-customers.ts'
import type { MrrFilter } from '../list-filters.ts'
import { type SortKey, type Stretch, sortedBy } from '../page.ts'
import { asksSubscription, hasSubscription, type SubscriberFilter } from './with-subscription.ts'

/** The columns by which the list of customers can be sorted. */
export type CustomerSort = 'currentMrr' | 'customerName' | 'firstPaidAt'

/** An absent filter means all. */
export type CustomerFilter = FirstPaid &
  MrrFilter &
  SubscriberFilter & {
    /** Whether it has a company; 'ignored' means those without one that a person left out of the review. */
    isMatched?: boolean | 'ignored' | undefined
    /** Has MRR at the end of this day ('YYYY-MM-DD', UTC). */
    payingOn?: string | undefined
    /** Set where most customers are read: those who pay are then found at once, rather than each looked up. */
    isLong?: boolean
  }

/** An empty search finds everything. */
export type CustomerOrder = CustomerFilter & { search: string; sort: CustomerSort; order: 'asc' | 'desc' }

/**
 * Expressions on the customer `c`, each written as in its index, in which ids ascend with the values as given. Under row
 * security, only empty values of a `column` are found along an index.
 */
type Key = Pick<SortKey, 'by' | 'type'> & { indexed: 'asc' | 'desc'; column: RawBuilder<unknown> | null }

const keys: Record<CustomerSort, Key> = {
  currentMrr: { by: sql`c.reporting_mrr_cents`, type: 'bigint', indexed: 'desc', column: null },
  customerName: { by: sql`folded(c.name)`, type: 'text', indexed: 'asc', column: sql`c.name` },
  firstPaidAt: {
    by: sql`c.first_paid_at`,
    type: 'timestamptz',
    indexed: 'asc',
    column: sql`c.first_paid_at`,
  },
}

type Condition = { from?: RawBuilder<unknown>; holds?: RawBuilder<boolean> }

/** The listed customers that meet the condition, in two stretches: those with a value, then those without. */
export function customersWhere(
  tenant: Tenant,
  query: CustomerOrder,
  { from = sql`customers c`, holds = sql<boolean>`true` }: Condition,
): Stretch[] {
  const { by, type, indexed, column } = keys[query.sort]
  const id = sql<string>`c.id`
  const where = sql<boolean>`${isListed(tenant, query)} and ${holds}`
  // The index is read forwards or backwards, so that no equal values have to be sorted.
  const order: SortKey[] = [
    { by, type, isDescending: query.order === 'desc' },
    { by: id, type: 'text', isDescending: query.order !== indexed },
  ]
  if (column === null) return [{ id, from, where, order }]
  return [
    { id, from, where: sql<boolean>`${where} and ${column} is not null`, order },
    {
      id,
      from,
      where: sql<boolean>`${where} and ${column} is null`,
      order: [{ by: id, type: 'text', isDescending: false }],
    },
  ]
}

/** Those that meet the condition among the first customers of the order. */
export function nearCustomers(
  tenant: Tenant,
  query: CustomerOrder,
  holds: RawBuilder<boolean>,
  max: number,
): Stretch[] {
  const { search, sort, order } = query
  const first = customersWhere(tenant, { search, sort, order }, {}).slice(0, 1)
  return first.flatMap((walked) => {
    const from = sql`(select c.* from ${walked.from} where ${walked.where}
      order by ${sortedBy(walked.order)} limit ${max}) as c`
    return customersWhere(tenant, { ...query, areHashed: false }, { from, holds }).slice(0, 1)
  })
}

/** Whether the customer `c` meets the filter. */
export function isListed(tenant: Tenant, filter: CustomerFilter): RawBuilder<boolean> {
  const { isMatched, payingOn, isLong = false } = filter
  return all([
    sql`c.organization_id = ${tenant.organizationId} and c.is_subscriber`,
    ...(isMatched === undefined ? [] : [matchCondition(tenant, isMatched)]),
    ...firstPaidConditions(sql`c`, filter),
    ...between(sql`c.reporting_mrr_cents`, filter.mrrFrom, filter.mrrTo),
    // Money without a rate may be any amount, so who pays some is never known to pay at most so much. Most have none; under
    // row security, the planner takes the bare comparison for rare and sorts all rows.
    ...(filter.mrrTo === undefined ? [] : [sql`coalesce(c.unconverted_by_currency = '{}', false)`]),
    ...(payingOn === undefined ? [] : [isPayingOn(tenant, payingOn, isLong)]),
    ...(asksSubscription(filter) ? [hasSubscription(tenant, filter)] : []),
  ])
}

function matchCondition(tenant: Tenant, isMatched: boolean | 'ignored'): RawBuilder<boolean> {
  if (isMatched !== 'ignored') return isMatched ? sql`c.is_attached` : sql`not c.is_attached`
  return sql<boolean>`c.id in (select m.customer_id from matches m where m.organization_id = ${tenant.organizationId}
    and m.portal_id = ${currentPortal(tenant)} and m.state = 'ignored')`
}

/**
 * Whether any subscription of the customer `c` has MRR at the end of the day, as cohorts count it: more began to pay than
 * stopped. The conditions on events are those of their index.
 */
function isPayingOn(tenant: Tenant, day: string, isLong: boolean): RawBuilder<boolean> {
  const paying = sql`sum(case when e.current_mrr_cents > 0 then 1 else -1 end)`
  const isChange = sql`(e.current_mrr_cents > 0) <> (e.previous_mrr_cents > 0)
    and e.mrr_status <> 'Planned_Cancellation' and ${until(sql`e.occurred_at`, day)}`
  const isPaying = isLong
    ? sql`c.id in (select e.customer_id from events e where e.organization_id = ${tenant.organizationId} and ${isChange}
                    group by e.customer_id having ${paying} > 0)`
    : sql`(select ${paying} from events e
            where e.organization_id = c.organization_id and e.customer_id = c.id and ${isChange}) > 0`
  return sql<boolean>`c.first_paid_month <= ${day.slice(0, 7)} and ${isPaying}`
}
