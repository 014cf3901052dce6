// Turns the filters of lists into conditions. Lists, their counts and their sums all use these, so that they agree.

import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { ofRecord, type RecordFilter } from './of-record.ts'

type Values<Value> = readonly Value[] | undefined

/** What a subscription is now. An absent or empty list of values means all; null means rows without a value. */
type SegmentFilter = {
  product?: Values<string | null>
  plan?: Values<string | null>
  size?: Values<string | null>
  currency?: Values<string>
  interval?: Values<number | null>
}

/** Months 'YYYY-MM' in UTC, both included, in which a customer first paid. */
export type FirstPaid = { firstPaidFrom?: string | undefined; firstPaidTo?: string | undefined }

type OfCustomers = FirstPaid & {
  from?: string | undefined
  to?: string | undefined
  /** Those whose MRR is more, or less, after these days (UTC, both included) than before them. */
  customersPay?: 'more' | 'less' | undefined
  isMatched?: boolean | undefined
  /** The customers that this means, if `withCustomers` found them to be few. */
  ofCustomers?: readonly string[] | undefined
  /** Set where rows without a customer are read apart from the others. */
  hasCustomer?: boolean
  /** Set for a walk that may be long: customers are hashed once, rather than looked up for each row. */
  isLong?: boolean
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

/** Whether a filter takes every row. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

/** Of more subscriptions, every twentieth event is one at 100,000 subscriptions, so that a walk finds a page soon. */
const fewMax = 5_000

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

/** Finds the customers that a filter means, in the same way. */
export async function withCustomers<Filter extends OfCustomers>(
  tenant: Tenant,
  filter: Filter,
): Promise<Filter> {
  const ofCustomers = await findFewCustomers(tenant, customerConditions(sql`c`, filter))
  return { ...filter, ofCustomers }
}

/** The ids of the customers `c` that meet the conditions; undefined without a condition, or if they are too many. */
export function findFewCustomers(
  tenant: Tenant,
  conditions: readonly RawBuilder<unknown>[],
  max = fewMax,
): Promise<string[] | undefined> {
  return findFew(tenant, sql`customers c`, sql`c`, conditions, max)
}

/** The ids that meet the conditions; undefined without a condition, or if they are too many. */
async function findFew(
  { organizationId, sql: transaction }: Tenant,
  from: RawBuilder<unknown>,
  row: RawBuilder<unknown>,
  conditions: readonly RawBuilder<unknown>[],
  max = fewMax,
): Promise<string[] | undefined> {
  if (conditions.length === 0) return undefined
  const { rows } = await sql<{ ids: string[] }>`
    select coalesce(array_agg(id), '{}') as ids
      from (select ${row}.id from ${from} where ${row}.organization_id = ${organizationId} and ${all(conditions)}
             limit ${max + 1}) as first
    having count(*) <= ${max}`.execute(transaction)
  return rows[0]?.ids
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
    ...ofCustomers(sql`e`, filter),
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
    ...ofCustomers(sql`s`, filter),
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

function anyOf(column: RawBuilder<unknown>, values: Values<string | number | null>): RawBuilder<unknown>[] {
  if (values === undefined || values.length === 0) return []
  const named = values.filter((value) => value !== null)
  const isNamed = sql`${column} = any(${named})`
  if (named.length === values.length) return [isNamed]
  return [named.length === 0 ? sql`${column} is null` : sql`(${isNamed} or ${column} is null)`]
}

function within(column: RawBuilder<unknown>, { from, to }: SharedFilter): RawBuilder<unknown>[] {
  return [
    ...(from === undefined ? [] : [sql`${column} >= ${startOf(from)}::timestamptz`]),
    ...(to === undefined ? [] : [until(column, to)]),
  ]
}

/** What an amount is asked to be, both ends included. An amount without a rate is null and meets neither. */
export function between(
  column: RawBuilder<unknown>,
  from: number | undefined,
  to: number | undefined,
): RawBuilder<unknown>[] {
  return [
    ...(from === undefined ? [] : [sql`${column} >= ${from}::bigint`]),
    ...(to === undefined ? [] : [sql`${column} <= ${to}::bigint`]),
  ]
}

/** Whether an instant lies before the end of the day. */
export function until(column: RawBuilder<unknown>, day: string): RawBuilder<boolean> {
  return sql<boolean>`${column} < ${startOf(day)}::timestamptz + interval '24 hours'`
}

const startOf = (day: string) => `${day}T00:00:00Z`

/** As the partial index of such subscriptions has it. */
export const isCanceling = sql<boolean>`(s.status not in ('canceled', 'incomplete_expired')
  and (s.body ->> 'cancelAtPeriodEnd' = 'true' or s.body ->> 'cancelAt' is not null))`

function isStale(before: Date | null): RawBuilder<boolean> {
  if (before === null) return sql<boolean>`false`
  return sql<boolean>`exists (select from freshness f where f.organization_id = s.organization_id
    and f.subscription_id = s.id and f.crm_at is null and f.changed_at < ${before})`
}

/** A condition that is unknown for a row does not hold. */
const is = (wanted: boolean, condition: RawBuilder<boolean>) =>
  wanted ? condition : sql`(${condition}) is not true`

/** Whether the customer of the row is meant. A row without a customer has no company either. */
function ofCustomers(row: RawBuilder<unknown>, filter: OfCustomers): RawBuilder<unknown>[] {
  const conditions = customerConditions(sql`o`, filter)
  if (conditions.length === 0) return []
  const hasNone = sql`(${row}.customer_id is null or ${row}.customer_id = '')`
  if (filter.hasCustomer === false) return [hasNone]
  const isUnmatchedAlone = meansCustomerless(filter) && filter.hasCustomer === undefined
  const hasCustomer = (holds: RawBuilder<unknown>) => sql`exists (
    select from customers o where o.organization_id = ${row}.organization_id and o.id = ${row}.customer_id and ${holds})`
  if (filter.ofCustomers === undefined && filter.isLong) {
    const isMeant = hasCustomer(all(conditions))
    // A condition that is more than `exists` stays one on the row, and is hashed if the hash fits into memory.
    return [isUnmatchedAlone ? sql`(${isMeant} or ${hasNone})` : sql`(${isMeant}) is true`]
  }
  if (filter.ofCustomers === undefined)
    return [isUnmatchedAlone ? sql`not ${hasCustomer(sql`o.is_attached`)}` : hasCustomer(all(conditions))]
  const isOne = sql`${row}.customer_id = any(${filter.ofCustomers}::text[])`
  return [isUnmatchedAlone ? sql`(${isOne} or ${hasNone})` : isOne]
}

/**
 * Filters that together mean the same rows, none of which excludes customers: PostgreSQL can begin a search at customers
 * that are asked for, but not at those that are not.
 */
export function partsOf<Filter extends OfCustomers>(filter: Filter): Filter[] {
  if (!meansCustomerless(filter)) return [filter]
  return [true, false].map((hasCustomer) => ({ ...filter, hasCustomer }))
}

/** Whether rows without a customer meet the filter: they have no company. */
export const meansCustomerless = ({ isMatched, firstPaidFrom, firstPaidTo, customersPay }: OfCustomers) =>
  isMatched === false && [firstPaidFrom, firstPaidTo, customersPay].every(isAbsent)

/** What a filter asks of the customer `c` of a row that has one. */
export function customersOfFilter(filter: OfCustomers): RawBuilder<boolean> {
  return all([sql`true`, ...customerConditions(sql`c`, filter)])
}

/** What a filter asks of customers, as conditions on one; `name_companies` keeps whether one has a company. */
function customerConditions(customer: RawBuilder<unknown>, filter: OfCustomers): RawBuilder<unknown>[] {
  const { isMatched, customersPay } = filter
  return [
    ...firstPaidConditions(customer, filter),
    ...(customersPay === undefined ? [] : [paysOtherwise(customer, filter)]),
    ...(isMatched === undefined
      ? []
      : [isMatched ? sql`${customer}.is_attached` : sql`not ${customer}.is_attached`]),
  ]
}

/** Whether the MRR of the customer is more, or less, after some days than before them. */
function paysOtherwise(customer: RawBuilder<unknown>, filter: OfCustomers): RawBuilder<unknown> {
  const days = within(sql`m.occurred_at`, filter)
  const ofCustomer = sql`m.organization_id = ${customer}.organization_id and m.customer_id = ${customer}.id`
  return sql`(select coalesce(sum(m.reporting_change_cents), 0) from events m where ${all([ofCustomer, ...days])})
    ${filter.customersPay === 'more' ? sql`>` : sql`<`} 0`
}

/** The months in which a customer first paid, as conditions on it. */
export function firstPaidConditions(
  customer: RawBuilder<unknown>,
  { firstPaidFrom, firstPaidTo }: FirstPaid,
): RawBuilder<unknown>[] {
  return [
    ...(firstPaidFrom === undefined ? [] : [sql`${customer}.first_paid_month >= ${firstPaidFrom}`]),
    ...(firstPaidTo === undefined ? [] : [sql`${customer}.first_paid_month <= ${firstPaidTo}`]),
  ]
}

export function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}
