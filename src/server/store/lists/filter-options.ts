import { type RawBuilder, sql } from 'kysely'
import type { PriceCadence } from '#domain/subscription.ts'
import type { Tenant } from '../postgres/database.ts'
import { cadencesOf } from './subscription-list.ts'

type StoredOptions = {
  statuses: { status: string; count: number }[]
  currencies: string[]
  products: (string | null)[]
  /** Days, and the prices of one subscription that has this interval. */
  intervals: { days: number | null; cadences: PriceCadence[] }[]
}

/** The values by which subscriptions can be filtered, up to `max` of a kind, and how many subscriptions have each status. */
export async function readFilterOptions(tenant: Tenant, max: number): Promise<StoredOptions> {
  const { rows } = await sql<StoredOptions>`
    select ${kept(tenant, sql`status`, sql`jsonb_build_object('status', value, 'count', count)`)} as statuses,
           ${kept(tenant, sql`part`, sql`to_jsonb(value)`)} as currencies,
           ${distinct(tenant, 'product_name', sql`to_jsonb(value)`, max)} as products,
           ${distinct(tenant, 'billing_interval_days', sampled(tenant), max)} as intervals`.execute(
    tenant.sql,
  )
  return rows[0] ?? { statuses: [], products: [], currencies: [], intervals: [] }
}

/** The values of a column of the kept totals that some subscription has. */
function kept(tenant: Tenant, column: RawBuilder<unknown>, shown: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select coalesce(jsonb_agg(${shown} order by value), '[]')
      from (select ${column} as value, sum(row_count) as count from list_totals
             where organization_id = ${tenant.organizationId} and list = 'subscriptions'
             group by ${column} having sum(row_count) > 0) as found)`
}

/** The values of a column, found by jumps through its index; null last, if some subscription has none. */
function distinct(
  tenant: Tenant,
  name: 'product_name' | 'billing_interval_days',
  shown: RawBuilder<unknown>,
  max: number,
): RawBuilder<unknown> {
  const column = sql.ref(name)
  const rows = sql`subscriptions where organization_id = ${tenant.organizationId} and quantity is not null`
  return sql`(
    with recursive steps as (
      (select ${column} as value from ${rows} and ${column} is not null order by ${column} limit 1)
      union all
      select (select ${column} from ${rows} and ${column} > steps.value order by ${column} limit 1)
        from steps where steps.value is not null),
    found as (
      (select value from steps where value is not null limit ${max})
      union all (select null where exists (select from ${rows} and ${column} is null)))
    select coalesce(jsonb_agg(${shown} order by value nulls last), '[]') from found)`
}

/** An interval's days with the prices of one subscription that has it. */
function sampled({ organizationId }: Tenant): RawBuilder<unknown> {
  return sql`jsonb_build_object('days', value, 'cadences', coalesce((
    select ${cadencesOf(sql`s.body`)} from subscriptions s
     where s.organization_id = ${organizationId} and s.quantity is not null and s.billing_interval_days = value
     order by s.id limit 1), '[]'))`
}
