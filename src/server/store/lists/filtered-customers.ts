// What a filter of subscriptions or events asks of their customers.

import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { all, type Days, findFew, isAbsent, within } from './filter-conditions.ts'

/** Months 'YYYY-MM' in UTC, both included, in which a customer first paid. */
export type FirstPaid = { firstPaidFrom?: string | undefined; firstPaidTo?: string | undefined }

export type OfCustomers = FirstPaid &
  Days & {
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

/** Finds the customers that a filter means, so that their rows are read along an index, if they are at most 5,000. */
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
  max?: number,
): Promise<string[] | undefined> {
  return findFew(tenant, sql`customers c`, sql`c`, conditions, max)
}

/** Whether the customer of the row is meant. A row without a customer has no company either. */
export function ofCustomers(
  { organizationId }: Tenant,
  row: RawBuilder<unknown>,
  filter: OfCustomers,
): RawBuilder<unknown>[] {
  const conditions = customerConditions(sql`o`, filter)
  if (conditions.length === 0) return []
  const hasNone = sql`(${row}.customer_id is null or ${row}.customer_id = '')`
  if (filter.hasCustomer === false) return [hasNone]
  const isUnmatchedAlone = meansCustomerless(filter) && filter.hasCustomer === undefined
  const hasCustomer = (holds: RawBuilder<unknown>) => sql`exists (
    select from customers o where o.organization_id = ${row}.organization_id and o.id = ${row}.customer_id and ${holds})`
  if (filter.ofCustomers === undefined && filter.isLong) {
    // A condition that is more than `in` stays one on the row, and is hashed if the hash fits into memory.
    const isMeant = sql`${row}.customer_id in (
      select o.id from customers o where o.organization_id = ${organizationId} and ${all(conditions)})`
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
