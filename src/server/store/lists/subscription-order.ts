import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import type { SortKey, Stretch } from './page.ts'

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
type Key = { of: 's' | 'c'; key: RawBuilder<unknown>; type: SortKey['type']; isNeverNull?: true }

const keys: Record<SubscriptionSort, Key> = {
  updatedAt: { of: 's', key: sql`s.updated_at`, type: 'timestamptz', isNeverNull: true },
  currentMrr: { of: 's', key: sql`s.reporting_mrr_cents`, type: 'bigint' },
  status: { of: 's', key: sql`s.status`, type: 'text', isNeverNull: true },
  productName: { of: 's', key: sql`lower(s.product_name)`, type: 'text' },
  quantity: { of: 's', key: sql`s.quantity`, type: 'bigint', isNeverNull: true },
  billingIntervalDays: { of: 's', key: sql`s.billing_interval_days`, type: 'bigint' },
  currentPeriodStart: { of: 's', key: sql`s.current_period_start`, type: 'timestamptz' },
  currentPeriodEnd: { of: 's', key: sql`s.current_period_end`, type: 'timestamptz' },
  nextRenewalDate: { of: 's', key: sql`s.next_renewal_on`, type: 'date' },
  companyName: { of: 'c', key: sql`lower(coalesce(c.company_name, c.name))`, type: 'text' },
  customerName: { of: 'c', key: sql`lower(c.name)`, type: 'text' },
  customerEmail: { of: 'c', key: sql`lower(c.email)`, type: 'text' },
}

type Condition = { holds: RawBuilder<boolean>; from?: RawBuilder<unknown>; needsCustomer?: boolean }

/**
 * The subscriptions of `from` that meet the condition, in two stretches: those with a value, then those without. The
 * condition may use `c` if `needsCustomer` is set.
 */
export function subscriptionsWhere(
  tenant: Tenant,
  { sort, order }: SubscriptionOrder,
  { holds, from = sql`subscriptions s`, needsCustomer = false }: Condition,
): Stretch[] {
  const { of, key, type, isNeverNull } = keys[sort]
  const id = sql<string>`s.id`
  const byId: SortKey = { by: sql`s.id`, type: 'text', isDescending: false }
  const withCustomers = sql`${from}
    left join customers c on c.organization_id = s.organization_id and c.id = s.customer_id`
  const source = needsCustomer ? withCustomers : from
  // If the customer owns the key, walk from customer to customer.
  const byCustomer = sql`customers c
    join ${from} on s.organization_id = c.organization_id and s.customer_id = c.id`
  const owner = of === 'c' ? sql`c.organization_id = ${tenant.organizationId} and ` : sql``
  const filled: Stretch = {
    id,
    from: of === 'c' ? byCustomer : source,
    where: sql<boolean>`${owner}${holds}${isNeverNull ? sql`` : sql` and ${key} is not null`}`,
    order: [{ by: key, type, isDescending: order === 'desc' }, byId],
  }
  const empty: Stretch = {
    id,
    from: of === 'c' ? withCustomers : source,
    where: sql<boolean>`${holds} and ${key} is null`,
    order: [byId],
  }
  return isNeverNull ? [filled] : [filled, empty]
}
