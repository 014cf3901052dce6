// The conditions that filters of lists are made of, and rows that are few enough to be named.

import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** Values that a filter names. An absent or empty list means all; null means rows without a value. */
export type Values<Value> = readonly Value[] | undefined

/** Whether a filter takes every row. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

/** Of more subscriptions, every twentieth event is one at 100,000 subscriptions, so that a walk finds a page soon. */
const fewMax = 5_000

/** The ids that meet the conditions; undefined without a condition, or if they are too many. */
export async function findFew(
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

export function anyOf(
  column: RawBuilder<unknown>,
  values: Values<string | number | null>,
): RawBuilder<unknown>[] {
  if (values === undefined || values.length === 0) return []
  const named = values.filter((value) => value !== null)
  const isNamed = sql`${column} = any(${named})`
  if (named.length === values.length) return [isNamed]
  return [named.length === 0 ? sql`${column} is null` : sql`(${isNamed} or ${column} is null)`]
}

/** Days 'YYYY-MM-DD' in UTC, both included. */
export type Days = { from?: string | undefined; to?: string | undefined }

export function within(column: RawBuilder<unknown>, { from, to }: Days): RawBuilder<unknown>[] {
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

/** A condition that is unknown for a row does not hold. */
export const is = (wanted: boolean, condition: RawBuilder<boolean>) =>
  wanted ? condition : sql`(${condition}) is not true`

export function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}
