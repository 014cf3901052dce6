import { type RawBuilder, sql } from 'kysely'
import { addDays, type Day, type DayRange } from '#domain/date-range.ts'
import { type Month, wholeMonths } from '#domain/month.ts'
import type { Movement } from '#domain/movement.ts'
import type { CohortMovement } from '#domain/retention.ts'
import type { SegmentKind } from '#domain/segment.ts'
import type { Tenant } from '../postgres/database.ts'
import { within } from './event-sums.ts'
import { reportingChange } from './movement-totals.ts'

/** Sums of one kind of movement in one currency; amounts are minor units of it, or of the reporting currency. */
export type MovementTotal = {
  /** 'YYYY-MM'; empty for everything before the days asked for. */
  month: string
  movement: Movement
  currency: string
  events: number
  /** In the currency itself, of all events. */
  ownCents: number
  reportingCents: number
  /** The part of the events that has no rate, with its own amount. */
  unconvertedEvents: number
  unconvertedCents: number
  /** Of the events with a rate: subscriptions that began to pay, less those that stopped. */
  subscriptions: number
}

const sums = sql`
  sum(event_count)::bigint as events, sum(change_cents)::bigint as "ownCents", sum(reporting_cents)::bigint as "reportingCents",
  sum(unconverted_count)::bigint as "unconvertedEvents", sum(unconverted_cents)::bigint as "unconvertedCents",
  sum(subscription_count)::bigint as subscriptions`

/** The movements of the days asked for by month, and those before them. */
export async function listMovements(tenant: Tenant, { from, to }: DayRange): Promise<MovementTotal[]> {
  const where = [sql`organization_id = ${tenant.organizationId}`, ...within('value', { from: null, to })]
  const { rows } = await sql<MovementTotal>`
    select case when value < ${from ?? ''} then '' else month end as month, movement, currency, ${sums}
      from movement_totals
     where dimension = 'day' and ${sql.join(where, sql` and `)}
     group by 1, movement, currency
     order by 1, movement, currency`.execute(tenant.sql)
  return rows
}

/** A cohort's movements in one currency. */
export type CohortTotal = CohortMovement & { currency: string; ownCents: number }

/** The movements of each cohort by month and currency, in it and in the reporting currency. */
export async function listCohortMovements(tenant: Tenant): Promise<CohortTotal[]> {
  const { rows } = await sql<CohortTotal>`
    select value as cohort, month, movement, currency, sum(reporting_cents)::bigint as change,
           sum(change_cents)::bigint as "ownCents", sum(customer_count)::bigint as customers
      from movement_totals
     where organization_id = ${tenant.organizationId} and dimension = 'cohort' and value <> ''
     group by value, month, movement, currency
     order by value, month, movement, currency`.execute(tenant.sql)
  return rows
}

/** What customers pay less after the months than before them: in one currency, or in the reporting one. */
export type LostTotal = { months: number; currency: string; change: number; ownCents: number }

/** The losses of the last months up to one, for each number of months. */
export async function listLosses(tenant: Tenant, to: Month): Promise<LostTotal[]> {
  const { rows } = await sql<LostTotal>`
    select value::integer as months, currency, sum(reporting_cents)::bigint as change,
           sum(change_cents)::bigint as "ownCents"
      from movement_totals
     where organization_id = ${tenant.organizationId} and dimension = 'lost' and month <= ${to}
     group by value, currency
     order by value, currency`.execute(tenant.sql)
  return rows
}

/** A total of one segment, before the days asked for (month '') or within them. */
export type SegmentTotal = MovementTotal & { value: string }

/** The movements of each segment before some days and within them. Days outside whole months are read from the events. */
export async function listSegmentMovements(
  tenant: Tenant,
  kind: SegmentKind,
  { from, to }: DayRange,
): Promise<SegmentTotal[]> {
  const before = from === null ? [] : partsOf(tenant, kind, '', { from: null, to: addDays(from, -1) })
  const parts = [...before, ...partsOf(tenant, kind, 'within', { from, to })]
  const { rows } = await sql<SegmentTotal>`
    select value, month, movement, currency, ${sums}
      from (${sql.join(parts, sql` union all `)}) as parts
     group by value, month, movement, currency
     order by value, month, movement, currency`.execute(tenant.sql)
  return rows
}

/** What the rows of some days are told as: before the days asked for, or within them. */
type PartName = '' | 'within'

function partsOf(tenant: Tenant, kind: SegmentKind, name: PartName, range: DayRange): RawBuilder<unknown>[] {
  const { months, beside } = wholeMonths(range)
  const ofMonths = months === null ? [] : [monthsOf(tenant, kind, name, months)]
  return [...ofMonths, ...beside.map((days) => eventsOf(tenant, kind, name, days))]
}

function monthsOf(
  tenant: Tenant,
  kind: SegmentKind,
  name: PartName,
  { from, to }: DayRange,
): RawBuilder<unknown> {
  const dimension = kind === 'currency' ? 'day' : kind
  const value = kind === 'currency' ? sql`currency` : sql`value`
  const where = [sql`organization_id = ${tenant.organizationId}`, ...within('month', { from, to })]
  return sql`
    select ${value} as value, ${name}::text as month, movement, currency,
           event_count, change_cents, reporting_cents, unconverted_count, unconverted_cents, subscription_count
      from movement_totals
     where dimension = ${dimension} and ${sql.join(where, sql` and `)}`
}

const attributes: Record<SegmentKind, RawBuilder<unknown>> = {
  product: sql`s.product_name`,
  plan: sql`s.plan_name`,
  currency: sql`e.currency`,
  interval: sql`s.billing_interval_days::text`,
  size: sql`s.size`,
}

/** The events of some days as if they were totals. */
function eventsOf(
  tenant: Tenant,
  kind: SegmentKind,
  name: PartName,
  { from, to }: { from: Day; to: Day },
): RawBuilder<unknown> {
  const start = (day: string) => sql`${`${day}T00:00:00Z`}::timestamptz`
  return sql`
    select coalesce(${attributes[kind]}, ''), ${name}::text, e.mrr_status, e.currency, 1, e.mrr_change_cents,
           coalesce(${reportingChange}, 0),
           (${reportingChange} is null)::integer, case when ${reportingChange} is null then e.mrr_change_cents else 0 end,
           case when ${reportingChange} is null then 0 else
             (e.current_mrr_cents > 0)::integer - (e.previous_mrr_cents > 0)::integer end
      from events e
      left join subscriptions s on s.organization_id = e.organization_id and s.id = e.subscription_id
     where e.organization_id = ${tenant.organizationId} and e.mrr_status <> 'Planned_Cancellation'
       and e.occurred_at >= ${start(from)} and e.occurred_at < ${start(addDays(to, 1))}`
}
