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

/**
 * Expressions on the subscription `s` or its customer `c`, written as in an index. Under row security, only empty values of
 * columns are found along one: `isEmpty` asks these.
 */
type Key = { key: RawBuilder<unknown>; type: SortKey['type'] } & (
  | { of: 's'; isNeverNull?: true }
  | { of: 'c'; isEmpty: RawBuilder<boolean> }
)

const keys: Record<SubscriptionSort, Key> = {
  updatedAt: { of: 's', key: sql`s.updated_at`, type: 'timestamptz', isNeverNull: true },
  currentMrr: { of: 's', key: sql`s.reporting_mrr_cents`, type: 'bigint' },
  status: { of: 's', key: sql`s.status`, type: 'text', isNeverNull: true },
  productName: { of: 's', key: sql`folded(s.product_name)`, type: 'text' },
  quantity: { of: 's', key: sql`s.quantity`, type: 'bigint', isNeverNull: true },
  billingIntervalDays: { of: 's', key: sql`s.billing_interval_days`, type: 'bigint' },
  currentPeriodStart: { of: 's', key: sql`s.current_period_start`, type: 'timestamptz' },
  currentPeriodEnd: { of: 's', key: sql`s.current_period_end`, type: 'timestamptz' },
  nextRenewalDate: { of: 's', key: sql`s.next_renewal_on`, type: 'date' },
  companyName: {
    ...{ of: 'c', key: sql`folded(coalesce(c.company_name, c.name))`, type: 'text' },
    isEmpty: sql`c.name is null and c.company_name is null`,
  },
  customerName: { of: 'c', key: sql`folded(c.name)`, type: 'text', isEmpty: sql`c.name is null` },
  customerEmail: { of: 'c', key: sql`lower(c.email)`, type: 'text', isEmpty: sql`c.email is null` },
}

type Condition = {
  /** May use `c` if `needsCustomer` is set. */
  holds: RawBuilder<boolean>
  needsCustomer?: boolean
  /** What follows from it for the customer `c`. An order by customers looks at this first. */
  ofCustomer?: RawBuilder<boolean>
  from?: RawBuilder<unknown>
  customers?: RawBuilder<unknown>
}

/** The subscriptions of `from` that meet the condition, in stretches: those with a value, then those without. */
export function subscriptionsWhere(
  tenant: Tenant,
  { sort, order }: SubscriptionOrder,
  { holds, needsCustomer = false, ofCustomer = sql<boolean>`true`, ...walked }: Condition,
): Stretch[] {
  const { from = sql`subscriptions s`, customers = sql`customers c` } = walked
  const sorting = keys[sort]
  const { key, type } = sorting
  const id = sql<string>`s.id`
  const byId: SortKey = { by: sql`s.id`, type: 'text', isDescending: false }
  const byKey: SortKey = { by: key, type, isDescending: order === 'desc' }
  const source = needsCustomer
    ? sql`${from} left join customers c on c.organization_id = s.organization_id and c.id = s.customer_id`
    : from
  if (sorting.of === 'c') {
    const { isEmpty } = sorting
    // Walk from customer to customer.
    const byCustomer = sql`${customers}
      join ${from} on s.organization_id = c.organization_id and s.customer_id = c.id`
    const where = sql<boolean>`c.organization_id = ${tenant.organizationId} and ${ofCustomer} and ${holds}`
    const byCustomerId: SortKey = { by: sql`c.id`, type: 'text', isDescending: false }
    return [
      { id, from: byCustomer, where: sql<boolean>`${where} and not (${isEmpty})`, order: [byKey, byId] },
      { id, from: byCustomer, where: sql<boolean>`${where} and ${isEmpty}`, order: [byCustomerId, byId] },
      // Of the listed subscriptions, only these have no customer: those of one that is not stored are not listed.
      { id, from: source, where: sql<boolean>`${holds} and s.customer_id = ''`, order: [byId] },
    ]
  }
  if (sorting.isNeverNull) return [{ id, from: source, where: sql<boolean>`${holds}`, order: [byKey, byId] }]
  return [
    { id, from: source, where: sql<boolean>`${holds} and ${key} is not null`, order: [byKey, byId] },
    { id, from: source, where: sql<boolean>`${holds} and ${key} is null`, order: [byId] },
  ]
}

/** Those that meet the condition among the first rows, or customers, of the order. */
export function nearSubscriptions(
  tenant: Tenant,
  { sort, order }: SubscriptionOrder,
  condition: Condition,
  max: number,
): Stretch[] {
  const { key, ...sorting } = keys[sort]
  const by = order === 'desc' ? sql`${key} desc` : key
  const walked =
    'isEmpty' in sorting
      ? // Customers of the same name stand among each other.
        {
          customers: sql`(select c.* from customers c
            where c.organization_id = ${tenant.organizationId} and not (${sorting.isEmpty})
            order by ${by} fetch first ${sql.lit(max)} rows with ties) as c`,
        }
      : {
          from: sql`(select s.* from subscriptions s
            where s.organization_id = ${tenant.organizationId} and s.quantity is not null and ${key} is not null
            order by ${by}, s.id limit ${max}) as s`,
        }
  return subscriptionsWhere(tenant, { sort, order }, { ...condition, ...walked }).slice(0, 1)
}
