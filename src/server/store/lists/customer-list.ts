import { type RawBuilder, sql } from 'kysely'
import type { MatchState } from '#domain/company.ts'
import { currentPortal } from '../crm/current-portal.ts'
import type { Tenant } from '../postgres/database.ts'
import { readAlongIndexes } from '../postgres/planner.ts'
import { countListed } from '../totals/list-totals.ts'
import { collectedMax, customerContains, customerIdsOf } from './find-text.ts'
import { type Besides, listBesides, nothingBesides } from './match-list.ts'
import { type Counted, readPage, type SortKey, type Stretch, type WantedPage } from './page.ts'
import { searchPage, theseAlone } from './search-page.ts'

/** The columns by which the list of customers can be sorted. */
export type CustomerSort = 'currentMrr' | 'customerName' | 'firstPaidAt'

/** An empty search finds everything; `isMatched` undefined means all. */
export type CustomerQuery = WantedPage & {
  search: string
  isMatched: boolean | undefined
  sort: CustomerSort
  order: 'asc' | 'desc'
}

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
  const { ids, ...counted } = await (query.search === '' ? wholePage : foundPage)(tenant, query)
  return { ...counted, customers: await readCustomers(tenant, ids) }
}

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
  const statuses = query.isMatched === undefined ? [] : [query.isMatched ? 'matched' : 'unmatched']
  const kept = countListed(tenant, 'customers', { statuses, part: sql`''` })
  const counted = { totalCount: await readAlongIndexes(tenant, kept), isCapped: false }
  return { ...counted, ids: await readPage(tenant, query, counted, customersWhere(tenant, query, {})) }
}

async function foundPage(tenant: Tenant, query: CustomerQuery): Promise<Counted & { ids: string[] }> {
  await readAlongIndexes(tenant)
  const { rows } = await sql<{ called: string[]; beginning: string[] }>`
    select array(${customerIdsOf(tenant, query.search)}) as called,
           array(select id from customers where organization_id = ${tenant.organizationId} and id ^@ ${query.search}
                  limit ${collectedMax}) as beginning`.execute(tenant.sql)
  const { called = [], beginning = [] } = rows[0] ?? {}
  const isPartial = called.length === collectedMax || beginning.length === collectedMax
  const contains = isPartial
    ? sql<boolean>`(${customerContains(query.search)} or c.id ^@ ${query.search})`
    : sql<boolean>`c.id = any(${[...called, ...beginning]}::text[])`
  return searchPage(
    tenant,
    query,
    { isPartial },
    {
      parts: [sql`select c.id from customers c where ${isListed(tenant, query)} and ${contains}`],
      few: (ids) => customersWhere(tenant, query, { from: theseAlone(tenant, 'customers', ids, 'c') }),
      many: () => customersWhere(tenant, query, { holds: contains }),
      whole: () => customersWhere(tenant, query, { holds: contains }),
    },
  )
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
  query: CustomerQuery,
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

function isListed(tenant: Tenant, { isMatched }: Pick<CustomerQuery, 'isMatched'>): RawBuilder<boolean> {
  const ofMatch =
    isMatched === undefined ? sql`` : isMatched ? sql` and c.is_attached` : sql` and not c.is_attached`
  return sql<boolean>`c.organization_id = ${tenant.organizationId} and c.is_subscriber${ofMatch}`
}
