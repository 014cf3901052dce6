import { type RawBuilder, sql } from 'kysely'
import type { MatchState } from '#domain/company.ts'
import { currentPortal } from '../crm/current-portal.ts'
import type { Tenant } from '../postgres/database.ts'
import { readAlongIndexes } from '../postgres/planner.ts'
import { countListed } from '../totals/list-totals.ts'
import { collectedMax, customerIdsOf, customerIsFound } from './find-text.ts'
import {
  all,
  between,
  type FirstPaid,
  firstPaidConditions,
  isAbsent,
  type MrrFilter,
  until,
} from './list-filters.ts'
import { type Besides, listBesides, nothingBesides } from './match-list.ts'
import { type Counted, readPage, type SortKey, type Stretch, type WantedPage } from './page.ts'
import { type SearchedRows, searchPage, searchWhole, theseAlone } from './search-page.ts'

/** The columns by which the list of customers can be sorted. */
export type CustomerSort = 'currentMrr' | 'customerName' | 'firstPaidAt'

/** An absent filter means all. */
export type CustomerFilter = FirstPaid &
  MrrFilter & {
    /** Whether it has a company; 'ignored' means those without one that a person left out of the review. */
    isMatched?: boolean | 'ignored' | undefined
    /** Has MRR at the end of this day ('YYYY-MM-DD', UTC). */
    payingOn?: string | undefined
    /** Set where most customers are read: those who pay are then found at once, rather than each looked up. */
    isLong?: boolean
  }

/** An empty search finds everything. */
type CustomerOrder = CustomerFilter & { search: string; sort: CustomerSort; order: 'asc' | 'desc' }

export type CustomerQuery = WantedPage & CustomerOrder

/** A customer with its current MRR in minor units, and its company in the current portal. */
export type ListedCustomer = Besides & {
  customerId: string
  customerName: string | null
  email: string | null
  domain: string | null
  isDeleted: boolean
  erasureId: string | null
  firstPaidAt: Date | null
  mrrCents: number
  matchState: MatchState | null
  companyName: string | null
  companyRecordId: string | null
  portalId: string | null
}

/** One page of the customers that have or had a subscription, empty values last, with the total. */
export async function listCustomers(
  tenant: Tenant,
  query: CustomerQuery,
): Promise<Counted & { customers: ListedCustomer[] }> {
  const read = query.search !== '' ? foundPage : isKeptPart(query) ? wholePage : filteredPage
  const { ids, ...counted } = await read(tenant, query)
  return { ...counted, customers: await readCustomers(tenant, ids) }
}

/** Whether kept totals know the customers of a filter, apart from a search. */
export const isKeptPart = ({
  isMatched,
  firstPaidFrom,
  firstPaidTo,
  payingOn,
  mrrFrom,
  mrrTo,
}: CustomerFilter) =>
  isMatched !== 'ignored' && [firstPaidFrom, firstPaidTo, payingOn, mrrFrom, mrrTo].every(isAbsent)

/** The statuses of kept totals that a filter means; none mean all. */
export const keptStatuses = ({ isMatched }: CustomerFilter) =>
  isMatched === undefined ? [] : [isMatched ? 'matched' : 'unmatched']

/** These customers, in this order. */
export async function readCustomers(tenant: Tenant, ids: readonly string[]): Promise<ListedCustomer[]> {
  const { rows } = await sql<Omit<ListedCustomer, keyof Besides>>`
    select c.id as "customerId", c.name as "customerName", c.email, c.domain, c.is_deleted as "isDeleted",
           c.erasure_id as "erasureId", c.first_paid_at as "firstPaidAt", c.reporting_mrr_cents as "mrrCents",
           m.state as "matchState", c.company_name as "companyName", linked.record_id as "companyRecordId",
           m.portal_id as "portalId"
      from customers c
      left join matches m on m.organization_id = c.organization_id and m.customer_id = c.id
                         and m.portal_id = ${currentPortal(tenant)}
     cross join lateral (select case when m.state = 'linked' then m.company_record_id end as record_id) as linked
     where c.organization_id = ${tenant.organizationId} and c.id = any(${ids}::text[])`.execute(tenant.sql)
  const besides = await listBesides(tenant, ids)
  const byId = new Map(rows.map((row) => [row.customerId, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? { ...row, ...(besides.get(id) ?? nothingBesides) } : []
  })
}

async function wholePage(tenant: Tenant, query: CustomerQuery): Promise<Counted & { ids: string[] }> {
  const kept = countListed(tenant, 'customers', { statuses: keptStatuses(query), part: sql`''` })
  const counted = { totalCount: await readAlongIndexes(tenant, kept), isCapped: false }
  return { ...counted, ids: await readPage(tenant, query, counted, customersWhere(tenant, query, {})) }
}

/** Rows that meet a filter are counted like those that a search finds, up to 1,000. */
async function filteredPage(tenant: Tenant, query: CustomerQuery): Promise<Counted & { ids: string[] }> {
  await readAlongIndexes(tenant)
  return searchPage(tenant, query, { isPartial: false }, customersThat(tenant, query, sql<boolean>`true`))
}

async function foundPage(tenant: Tenant, query: CustomerQuery): Promise<Counted & { ids: string[] }> {
  await readAlongIndexes(tenant)
  const { contains, ...found } = await findCustomers(tenant, query.search)
  return searchPage(tenant, query, found, customersThat(tenant, query, contains))
}

/** All customers that meet search and filters, in the order of the list. */
export async function wholeCustomers(tenant: Tenant, query: CustomerOrder): Promise<Stretch[]> {
  if (query.search === '') return customersWhere(tenant, query, {})
  const { contains, ...found } = await findCustomers(tenant, query.search)
  return searchWhole(tenant, found, customersThat(tenant, query, contains))
}

/** The condition on customers `c` that a search means. */
async function findCustomers(
  tenant: Tenant,
  search: string,
): Promise<{ isPartial: boolean; contains: RawBuilder<boolean> }> {
  const { rows } = await sql<{ called: string[]; beginning: string[] }>`
    select array(${customerIdsOf(tenant, search)}) as called,
           array(select id from customers where organization_id = ${tenant.organizationId} and id ^@ ${search}
                  limit ${collectedMax}) as beginning`.execute(tenant.sql)
  const { called = [], beginning = [] } = rows[0] ?? {}
  const isPartial = called.length === collectedMax || beginning.length === collectedMax
  const contains = isPartial
    ? customerIsFound(search)
    : sql<boolean>`c.id = any(${[...called, ...beginning]}::text[])`
  return { isPartial, contains }
}

function customersThat(tenant: Tenant, query: CustomerOrder, holds: RawBuilder<boolean>): SearchedRows {
  return {
    parts: [sql`select c.id from customers c where ${isListed(tenant, query)} and ${holds}`],
    few: (ids) => customersWhere(tenant, query, { from: theseAlone(tenant, 'customers', ids, 'c') }),
    many: () => customersWhere(tenant, query, { holds }),
    whole: () => customersWhere(tenant, query, { holds }),
  }
}

/**
 * Expressions on the customer `c`, each written as in its index, in which ids ascend with the values as given. Under row
 * security, only empty values of a `column` are found along an index.
 */
type Key = Pick<SortKey, 'by' | 'type'> & { indexed: 'asc' | 'desc'; column: RawBuilder<unknown> | null }

const keys: Record<CustomerSort, Key> = {
  currentMrr: { by: sql`c.reporting_mrr_cents`, type: 'bigint', indexed: 'desc', column: null },
  customerName: { by: sql`lower(c.name)`, type: 'text', indexed: 'asc', column: sql`c.name` },
  firstPaidAt: {
    by: sql`c.first_paid_at`,
    type: 'timestamptz',
    indexed: 'asc',
    column: sql`c.first_paid_at`,
  },
}

/** The listed customers that meet the condition, in two stretches: those with a value, then those without. */
function customersWhere(
  tenant: Tenant,
  query: CustomerOrder,
  {
    from = sql`customers c`,
    holds = sql<boolean>`true`,
  }: { from?: RawBuilder<unknown>; holds?: RawBuilder<boolean> },
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

function isListed(tenant: Tenant, filter: CustomerFilter): RawBuilder<boolean> {
  const { isMatched, payingOn, isLong } = filter
  return all([
    sql`c.organization_id = ${tenant.organizationId} and c.is_subscriber`,
    ...(isMatched === undefined ? [] : [matchCondition(tenant, isMatched)]),
    ...firstPaidConditions(sql`c`, filter),
    ...between(sql`c.reporting_mrr_cents`, filter.mrrFrom, filter.mrrTo),
    // Money without a rate may be any amount, so who pays some is never known to pay at most so much.
    ...(filter.mrrTo === undefined ? [] : [sql`c.unconverted_by_currency = '{}'`]),
    ...(payingOn === undefined ? [] : [isPayingOn(tenant, payingOn, isLong)]),
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
function isPayingOn(tenant: Tenant, day: string, isLong = false): RawBuilder<boolean> {
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
