import { type RawBuilder, sql } from 'kysely'
import type { DayRange } from '#domain/date-range.ts'
import type { Tenant } from '../postgres/database.ts'

/** Kept totals of movements: those of single days, or by month those of subscriptions' segments or customers' cohorts. */
export type KeptPart = { dimension: 'day' | 'segment' | 'cohort'; where: readonly RawBuilder<unknown>[] }

/** What a segment of kept totals holds of its subscriptions, under the names of the filters of lists. */
export const segmentColumns = {
  product: sql`(value::jsonb ->> 'product')`,
  plan: sql`(value::jsonb ->> 'plan')`,
  size: sql`(value::jsonb ->> 'size')`,
  currency: sql`currency`,
  interval: sql`(value::jsonb ->> 'interval')::bigint`,
}

/**
 * What the events of a part come to, from the kept totals of movements. Planned cancellations are no movements. Null until
 * the totals were counted.
 */
export async function keptEventSums(
  tenant: Tenant,
  { dimension, where }: KeptPart,
  statuses: readonly string[],
): Promise<RawBuilder<unknown> | null> {
  const { organizationId } = tenant
  const counted = await sql`
    select from payment_mirrors
     where organization_id = ${organizationId} and movements_counted_at is not null`.execute(tenant.sql)
  if (counted.rows.length === 0) return null
  const ofStatuses = statuses.length === 0 ? [] : [sql`movement = any(${statuses}::text[])`]
  // Events without a subscription have no segment, and those of customers who never paid no cohort.
  const all = [sql`value <> ''`, ...ofStatuses, ...where]
  return sql`
    select currency, movement as mrr_status, sum(event_count) as count, sum(reporting_cents) as reporting,
           sum(unconverted_count) as apart_count, sum(unconverted_cents) as apart
      from movement_totals
     where organization_id = ${organizationId} and dimension = ${dimension} and ${sql.join(all, sql` and `)}
     group by currency, movement`
}

/** Whether kept totals are of some days 'YYYY-MM-DD', or some months 'YYYY-MM', both ends included. */
export function within(column: 'value' | 'month', { from, to }: DayRange): RawBuilder<unknown>[] {
  return [
    ...(from === null ? [] : [sql`${sql.ref(column)} >= ${from}`]),
    ...(to === null ? [] : [sql`${sql.ref(column)} <= ${to}`]),
  ]
}
