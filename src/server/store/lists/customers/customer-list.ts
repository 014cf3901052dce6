import { type RawBuilder, sql } from 'kysely'
import type { MatchState } from '#domain/company.ts'
import { currentPortal } from '../../crm/current-portal.ts'
import type { Tenant } from '../../postgres/database.ts'
import { readAlongIndexes } from '../../postgres/planner.ts'
import { countListed } from '../../totals/list-totals.ts'
import { isAbsent } from '../filter-conditions.ts'
import { collectedMax, countedMax, findCustomers } from '../find-text.ts'
import { type Besides, listBesides, nothingBesides } from '../match-list.ts'
import { type Counted, readPage, type Stretch, type WantedPage } from '../page.ts'
import { type SearchedRows, searchPage, searchWhole, theseAlone } from '../search-page.ts'
import {
  type CustomerFilter,
  type CustomerOrder,
  customersWhere,
  isListed,
  nearCustomers,
} from './customer-order.ts'
import { listSubscribed, nothingSubscribed, type Subscribed } from './customer-products.ts'
import { asksSubscription, withSubscribers } from './with-subscription.ts'

export type CustomerQuery = WantedPage & CustomerOrder

/** A customer with its current MRR in minor units, and its company in the current portal. */
export type ListedCustomer = Besides &
  Subscribed & {
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
export function isKeptPart(filter: CustomerFilter): boolean {
  const { isMatched, firstPaidFrom, firstPaidTo, payingOn, mrrFrom, mrrTo } = filter
  if (isMatched === 'ignored' || asksSubscription(filter)) return false
  return [firstPaidFrom, firstPaidTo, payingOn, mrrFrom, mrrTo].every(isAbsent)
}

/** The statuses of kept totals that a filter means; none mean all. */
export const keptStatuses = ({ isMatched }: CustomerFilter) =>
  isMatched === undefined ? [] : [isMatched ? 'matched' : 'unmatched']

/** These customers, in this order. */
export async function readCustomers(tenant: Tenant, ids: readonly string[]): Promise<ListedCustomer[]> {
  const { rows } = await sql<Omit<ListedCustomer, keyof (Besides & Subscribed)>>`
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
  const subscribed = await listSubscribed(tenant, ids)
  const byId = new Map(rows.map((row) => [row.customerId, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (row === undefined) return []
    return {
      ...row,
      ...(besides.get(id) ?? nothingBesides),
      ...(subscribed.get(id) ?? nothingSubscribed),
    }
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
  return narrowedPage(tenant, query, { isPartial: false }, sql<boolean>`true`)
}

async function foundPage(tenant: Tenant, query: CustomerQuery): Promise<Counted & { ids: string[] }> {
  await readAlongIndexes(tenant)
  const { contains, ...found } = await findCustomers(tenant, query.search)
  return narrowedPage(tenant, query, found, contains)
}

async function narrowedPage(
  tenant: Tenant,
  asked: CustomerQuery,
  found: { isPartial: boolean },
  holds: RawBuilder<boolean>,
): Promise<Counted & { ids: string[] }> {
  const query = await withSubscribers(tenant, asked)
  const { search, subscribers } = query
  const areFew = (search !== '' && !found.isPartial) || (subscribers?.length ?? collectedMax) < collectedMax
  if (asksSubscription(query) && !areFew) return walkedPage(tenant, query, holds)
  return searchPage(tenant, query, found, customersThat(tenant, query, holds))
}

/** How many of the first customers are looked up. Where two thirds of them meet the filter, they fill the count. */
const nearMax = 1.5 * countedMax

/**
 * A page of many customers with a subscription. It reads all that are counted, in the order of the list: the first customers
 * by a look-up each, and if these are too few, all by one hash.
 */
async function walkedPage(
  tenant: Tenant,
  query: CustomerQuery,
  holds: RawBuilder<boolean>,
): Promise<Counted & { ids: string[] }> {
  const first = (stretches: Stretch[]) => {
    const counted = { totalCount: collectedMax, isCapped: true }
    return readPage(tenant, { page: 1, limit: collectedMax }, counted, stretches)
  }
  const near =
    query.subscribers === undefined ? await first(nearCustomers(tenant, query, holds, nearMax)) : []
  const ids =
    near.length === collectedMax
      ? near
      : await first(customersWhere(tenant, { ...query, areHashed: true }, { holds }))
  const counted = { totalCount: Math.min(ids.length, countedMax), isCapped: ids.length > countedMax }
  const offset = (query.page - 1) * query.limit
  return { ...counted, ids: ids.slice(0, countedMax).slice(offset, offset + query.limit) }
}

/** All customers that meet search and filters, in the order of the list. */
export async function wholeCustomers(tenant: Tenant, asked: CustomerOrder): Promise<Stretch[]> {
  const query = await withSubscribers(tenant, asked)
  if (query.search === '') return customersWhere(tenant, query, {})
  const { contains, ...found } = await findCustomers(tenant, query.search)
  return searchWhole(tenant, found, customersThat(tenant, query, contains))
}

function customersThat(tenant: Tenant, query: CustomerOrder, holds: RawBuilder<boolean>): SearchedRows {
  return {
    parts: [sql`select c.id from customers c where ${isListed(tenant, query)} and ${holds}`],
    few: (ids) => customersWhere(tenant, query, { from: theseAlone(tenant, 'customers', ids, 'c') }),
    many: () => customersWhere(tenant, query, { holds }),
    whole: () => customersWhere(tenant, query, { holds }),
  }
}
