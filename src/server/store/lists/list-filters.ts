// Turns the filters of lists into conditions. Lists, their counts and their sums all use these, so that they agree.

import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { all, anyOf, between, findFew, is, isAbsent, type Values, within } from './filter-conditions.ts'
import { type OfCustomers, ofCustomers } from './filtered-customers.ts'
import { ofRecord, type RecordFilter } from './of-record.ts'

/** What a subscription is now. */
type SegmentFilter = {
  product?: Values<string | null>
  plan?: Values<string | null>
  size?: Values<string | null>
  currency?: Values<string>
  interval?: Values<number | null>
}

type SharedFilter = SegmentFilter & RecordFilter & OfCustomers & { customerId?: string | undefined }

/** Minor units of the reporting currency, both included. */
export type MrrFilter = { mrrFrom?: number | undefined; mrrTo?: number | undefined }

export type EventFilter = SharedFilter & {
  mrrStatus?: Values<string>
  /** The change of MRR, in minor units of the reporting currency, both included. */
  changeFrom?: number | undefined
  changeTo?: number | undefined
  subscriptionId?: string | undefined
  /** The subscriptions of the segment, if `withSegment` found them to be few. */
  ofSubscriptions?: readonly string[] | undefined
}

export type SubscriptionFilter = SharedFilter &
  MrrFilter & {
    status?: Values<string>
    /** The renewals from one day to another. */
    renews?: { from: string; to: string } | undefined
    isCanceling?: boolean | undefined
    /** Whether a change from before then waits for the CRM; where nothing is pushed by itself, then is null. */
    stale?: { is: boolean; before: Date | null } | undefined
  }

/** Whether only the statuses are filtered, so that the kept totals count the rows. */
export function isByStatusAlone({ status, mrrStatus, ...others }: SubscriptionFilter & EventFilter): boolean {
  return Object.values(others).every(isAbsent)
}

/**
 * Finds the subscriptions of a filter of events, so that their events are read along an index. Above 5,000, each event
 * looks up its own.
 */
export async function withSegment<Filter extends EventFilter>(
  tenant: Tenant,
  filter: Filter,
): Promise<Filter> {
  const ofSubscriptions = await findFew(tenant, sql`subscriptions s`, sql`s`, segmentConditions(filter))
  return { ...filter, ofSubscriptions }
}

/** The events `e` that meet the filter. */
export function eventsOfFilter(tenant: Tenant, filter: EventFilter): RawBuilder<boolean> {
  // An event is in the currency of its subscription, so a currency needs no look at that.
  const { currency, ...others } = filter
  const ofSegment = filter.ofSubscriptions === undefined ? segmentConditions(others) : []
  return all([
    sql`e.organization_id = ${tenant.organizationId}`,
    ...anyOf(sql`e.mrr_status`, filter.mrrStatus),
    ...(filter.ofSubscriptions === undefined ? anyOf(sql`e.currency`, currency) : []),
    ...(filter.subscriptionId === undefined ? [] : [sql`e.subscription_id = ${filter.subscriptionId}`]),
    ...(filter.customerId === undefined ? [] : [sql`e.customer_id = ${filter.customerId}`]),
    ...(filter.ofSubscriptions === undefined
      ? []
      : [sql`e.subscription_id = any(${filter.ofSubscriptions}::text[])`]),
    ...ofCustomers(tenant, sql`e`, filter),
    ...within(sql`e.occurred_at`, filter),
    ...between(sql`e.reporting_change_cents`, filter.changeFrom, filter.changeTo),
    ...ofRecord(tenant, sql`e.id`, 'event', filter),
    ...(ofSegment.length === 0
      ? []
      : [
          sql`exists (select from subscriptions s where s.organization_id = e.organization_id
                         and s.id = e.subscription_id and ${all(ofSegment)})`,
        ]),
  ])
}

/** The subscriptions `s` that meet the filter; a subscription is listed once its figures are known. */
export function subscriptionsOfFilter(tenant: Tenant, filter: SubscriptionFilter): RawBuilder<boolean> {
  const { renews } = filter
  return all([
    sql`s.organization_id = ${tenant.organizationId} and s.quantity is not null`,
    ...anyOf(sql`s.status`, filter.status),
    ...segmentConditions(filter),
    ...(filter.customerId === undefined ? [] : [sql`s.customer_id = ${filter.customerId}`]),
    ...within(sql`s.created_at`, filter),
    ...between(sql`s.reporting_mrr_cents`, filter.mrrFrom, filter.mrrTo),
    ...ofCustomers(tenant, sql`s`, filter),
    ...ofRecord(tenant, sql`s.id`, 'subscription', filter),
    ...(filter.isCanceling === undefined ? [] : [is(filter.isCanceling, isCanceling)]),
    ...(filter.stale === undefined ? [] : [is(filter.stale.is, isStale(filter.stale.before))]),
    ...(renews === undefined
      ? []
      : [sql`s.next_renewal_on between ${renews.from}::date and ${renews.to}::date`]),
  ])
}

const ofSubscription = {
  product: sql`s.product_name`,
  plan: sql`s.plan_name`,
  size: sql`s.size`,
  currency: sql`s.currency`,
  interval: sql`s.billing_interval_days`,
}

/** What a filter asks of a subscription `s`, or of other rows that have its attributes. */
export function segmentConditions(filter: SegmentFilter, attributes = ofSubscription): RawBuilder<unknown>[] {
  const names = ['product', 'plan', 'size', 'currency', 'interval'] as const
  return names.flatMap((name) => anyOf(attributes[name], filter[name]))
}

/** As the partial index of such subscriptions has it. */
export const isCanceling = sql<boolean>`(s.status not in ('canceled', 'incomplete_expired')
  and (s.body ->> 'cancelAtPeriodEnd' = 'true' or s.body ->> 'cancelAt' is not null))`

function isStale(before: Date | null): RawBuilder<boolean> {
  if (before === null) return sql<boolean>`false`
  return sql<boolean>`exists (select from freshness f where f.organization_id = s.organization_id
    and f.subscription_id = s.id and f.crm_at is null and f.changed_at < ${before})`
}
