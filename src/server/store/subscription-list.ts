import { sql } from 'kysely'
import { readAlongIndexes } from './along-indexes.ts'
import { currentPortal } from './current-portal.ts'
import type { Tenant } from './database.ts'
import { type Found, findText } from './list-search.ts'
import { listAcross, type PageWindow, windowOf } from './page-window.ts'
import {
  piecesOf,
  type SubscriptionOrder,
  sortedWhole,
  subscriptionsWithCustomers,
} from './subscription-order.ts'
import { countSubscriptions, isAmongFound, isOfStatus, subscriptionContains } from './subscription-search.ts'

export type SubscriptionQuery = SubscriptionOrder & {
  /** Counts from 1. */
  page: number
  limit: number
  /** Empty: everything. */
  search: string
  status: string | undefined
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
        .on('m.portal_id', '=', currentPortal(tenant))
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

/** One page in a total order, empty values last, and how many there are in all; of a search, at most `countedMax`. */
export async function listSubscriptions(
  tenant: Tenant,
  query: SubscriptionQuery,
): Promise<{ subscriptions: ListedSubscription[]; totalCount: number }> {
  await readAlongIndexes(tenant)
  const found = query.search === '' ? null : await findText(tenant, query.search, 'subscriptions')
  const totalCount = await countSubscriptions(tenant, query.status, found)
  const window = windowOf(query, { totalCount, isExact: found === null })
  if (window === null) return { subscriptions: [], totalCount }
  const ids = await idsOnPage(tenant, query, found, window)
  const rows = await selectRows(ofOrganization(tenant).where('s.id', '=', sql<string>`any(${ids}::text[])`))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { subscriptions: ids.flatMap((id) => byId.get(id) ?? []), totalCount }
}

/** Which rows the page has is read off an index; only they are joined and shown. */
async function idsOnPage(
  tenant: Tenant,
  query: SubscriptionQuery,
  found: Found | null,
  window: PageWindow,
): Promise<string[]> {
  const ofStatus = isOfStatus(tenant, query.status)
  if (found === null)
    return listAcross(piecesOf(tenant, query, { holds: ofStatus, needsCustomer: false }), window)
  if (!found.isFew) {
    const holds = sql<boolean>`${ofStatus} and ${subscriptionContains(found)}`
    return listAcross(piecesOf(tenant, query, { holds, needsCustomer: true }), window)
  }
  const { rows } = await sql<{ id: string }>`
    select s.id from ${subscriptionsWithCustomers} where ${ofStatus} and ${isAmongFound(tenant, found)}
    ${sortedWhole(query)} limit ${window.limit} offset ${window.offset}`.execute(tenant.sql)
  return rows.map(({ id }) => id)
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
