// Customers can be filtered by what a subscription of theirs is. Where few subscriptions meet the filter, their customers are
// found first. Of more, either each customer is looked up, or all such customers are hashed.

import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../../postgres/database.ts'
import { allowLargeHash } from '../../postgres/planner.ts'
import { isAbsent } from '../filter-conditions.ts'
import { type SubscriptionFilter, subscriptionsOfFilter } from '../list-filters.ts'

/** What one subscription of a customer is, all of it at once. */
type OwnSubscription = Pick<SubscriptionFilter, 'status' | 'product' | 'currency' | 'interval'>

export type SubscriberFilter = OwnSubscription & {
  /** The customers that have such a subscription, if `withSubscribers` found them to be few. */
  subscribers?: readonly string[] | undefined
  /** Set where many customers are read: those that have one are hashed once, rather than each looked up. */
  areHashed?: boolean | undefined
}

const ownSubscription = ({ status, product, currency, interval }: OwnSubscription): OwnSubscription => ({
  status,
  product,
  currency,
  interval,
})

/** Whether a filter asks for a subscription. */
export const asksSubscription = (filter: OwnSubscription) =>
  !Object.values(ownSubscription(filter)).every(isAbsent)

const fewMax = 5_000

/** Finds the customers of up to 5,000 subscriptions that meet the filter. */
export async function withSubscribers<Filter extends SubscriberFilter>(
  tenant: Tenant,
  filter: Filter,
): Promise<Filter> {
  if (!asksSubscription(filter)) return filter
  const { rows } = await sql<{ ids: string[] }>`
    select coalesce(array_agg(customer_id), '{}') as ids
      from (select s.customer_id from subscriptions s
             where ${subscriptionsOfFilter(tenant, ownSubscription(filter))} limit ${fewMax + 1}) as first
    having count(*) <= ${fewMax}`.execute(tenant.sql)
  const subscribers = rows[0]?.ids
  if (subscribers === undefined) await allowLargeHash(tenant)
  return { ...filter, subscribers }
}

/** Whether the customer `c` has a subscription that meets the whole filter, which asks for one. */
export function hasSubscription(tenant: Tenant, filter: SubscriberFilter): RawBuilder<boolean> {
  const { subscribers, areHashed = false } = filter
  if (subscribers !== undefined) return sql<boolean>`c.id = any(${subscribers}::text[])`
  const own = sql`from subscriptions s where ${subscriptionsOfFilter(tenant, ownSubscription(filter))}`
  // `is true` and `offset 0` change no result. Without them PostgreSQL plans joins, which are slower here.
  return areHashed
    ? sql<boolean>`(c.id in (select s.customer_id ${own})) is true`
    : sql<boolean>`exists (select ${own} and s.customer_id = c.id offset 0)`
}
