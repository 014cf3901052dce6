import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import type { PageWindow, Piece } from './page-window.ts'

/** The columns by which the list of subscriptions can be sorted. */
export type SubscriptionSort =
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

export type SubscriptionOrder = { sort: SubscriptionSort; order: 'asc' | 'desc' }

/** Expressions on the subscription `s` and its customer `c`, written as in an index. */
const keys: Record<SubscriptionSort, { of: 's' | 'c'; key: RawBuilder<unknown>; isNeverNull?: true }> = {
  updatedAt: { of: 's', key: sql`s.updated_at`, isNeverNull: true },
  currentMrr: { of: 's', key: sql`s.current_mrr_cents`, isNeverNull: true },
  status: { of: 's', key: sql`s.status`, isNeverNull: true },
  productName: { of: 's', key: sql`lower(s.product_name)` },
  quantity: { of: 's', key: sql`s.quantity`, isNeverNull: true },
  billingIntervalDays: { of: 's', key: sql`s.billing_interval_days` },
  currentPeriodStart: { of: 's', key: sql`s.current_period_start` },
  currentPeriodEnd: { of: 's', key: sql`s.current_period_end` },
  nextRenewalDate: { of: 's', key: sql`s.next_renewal_on` },
  companyName: { of: 'c', key: sql`lower(coalesce(c.company_name, c.name))` },
  customerName: { of: 'c', key: sql`lower(c.name)` },
  customerEmail: { of: 'c', key: sql`lower(c.email)` },
}

export const subscriptionsWithCustomers = sql`subscriptions s
  left join customers c on c.organization_id = s.organization_id and c.id = s.customer_id`

/** A total order for few rows; empty values come last in both directions. */
export function sortedWhole({ sort, order }: SubscriptionOrder): RawBuilder<unknown> {
  return sql`order by ${keys[sort].key} ${sql.raw(order)} nulls last, s.id`
}

/**
 * The subscriptions that meet the condition, in two pieces: those with a value, in index order, then those without.
 * The condition may use `c` if `needsCustomer` is set.
 */
export function piecesOf(
  tenant: Tenant,
  { sort, order }: SubscriptionOrder,
  condition: { holds: RawBuilder<boolean>; needsCustomer: boolean },
): Piece[] {
  const { of, key, isNeverNull } = keys[sort]
  const source = condition.needsCustomer ? subscriptionsWithCustomers : sql`subscriptions s`
  // If the customer owns the key, walk from customer to customer.
  const byCustomer = sql`customers c
    join subscriptions s on s.organization_id = c.organization_id and s.customer_id = c.id`
  const owner = of === 'c' ? sql`c.organization_id = ${tenant.organizationId} and ` : sql``
  const filled = pieceOf(tenant, of === 'c' ? byCustomer : source, {
    where: sql`${owner}${condition.holds}${isNeverNull ? sql`` : sql` and ${key} is not null`}`,
    sortedBy: (isFromEnd) => {
      const isAscending = (order === 'asc') !== isFromEnd
      return sql`${key} ${sql.raw(isAscending ? 'asc' : 'desc')}, s.id ${sql.raw(isFromEnd ? 'desc' : 'asc')}`
    },
  })
  if (isNeverNull) return [filled]
  const empty = pieceOf(tenant, of === 'c' ? subscriptionsWithCustomers : source, {
    where: sql`${condition.holds} and ${key} is null`,
    sortedBy: (isFromEnd) => sql`s.id ${sql.raw(isFromEnd ? 'desc' : 'asc')}`,
  })
  return [filled, empty]
}

function pieceOf(
  tenant: Tenant,
  source: RawBuilder<unknown>,
  rows: { where: RawBuilder<unknown>; sortedBy: (isFromEnd: boolean) => RawBuilder<unknown> },
): Piece {
  return {
    async list({ limit, offset, isFromEnd }: PageWindow) {
      const found = await sql<{ id: string }>`
        select s.id from ${source} where ${rows.where}
         order by ${rows.sortedBy(isFromEnd)} limit ${limit} offset ${offset}`.execute(tenant.sql)
      return found.rows.map(({ id }) => id)
    },
    async count() {
      const counted = await sql<{ count: number }>`
        select count(*) as count from ${source} where ${rows.where}`.execute(tenant.sql)
      return counted.rows[0]?.count ?? 0
    },
  }
}
