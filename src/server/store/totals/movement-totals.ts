// Analytics show what movements of MRR come to, at a million events as at ten, so nobody adds up events for that. The
// transaction that rebuilds customers adds the difference that it made to `movement_totals`, in rows that lock nothing.
// An event counts by what its subscription and customer are now, so that segments add up and never change sides.

import { type RawBuilder, sql } from 'kysely'
import { trailingMonths } from '#domain/retention.ts'
import { columnRows } from '../postgres/column-rows.ts'
import type { Tenant } from '../postgres/database.ts'
import { settleSegments } from './segments.ts'

const rowColumns = {
  dimension: 'text',
  value: 'text',
  month: 'text',
  movement: 'text',
  currency: 'text',
  event_count: 'bigint',
  change_cents: 'bigint',
  reporting_cents: 'bigint',
  unconverted_count: 'bigint',
  unconverted_cents: 'bigint',
  customer_count: 'bigint',
  subscription_count: 'bigint',
} as const

const keys = sql.raw('dimension, value, month, movement, currency')
const figureNames = [
  ...['event_count', 'change_cents', 'reporting_cents', 'unconverted_count', 'unconverted_cents'],
  ...['customer_count', 'subscription_count'],
]
const figures = sql.raw(figureNames.join(', '))
const noFigures = sql.raw(figureNames.map(() => '0').join(', '))
const sumsOf = (value: (name: string) => string) =>
  sql.raw(figureNames.map((name) => `sum(${value(name)})::bigint as ${name}`).join(', '))

type MovementRow = { [K in keyof typeof rowColumns]: (typeof rowColumns)[K] extends 'text' ? string : number }

/** The change of an event `e` in the reporting currency; null where there is no rate. */
export const reportingChange = sql.raw('e.reporting_change_cents')

/**
 * What the events of these customers add, or those of all. A planned cancellation moves nothing. A customer pays while any
 * of its subscriptions has MRR.
 */
function movementRows(tenant: Tenant, customerIds: readonly string[] | null): RawBuilder<unknown> {
  const { organizationId } = tenant
  const ofThese = customerIds === null ? sql`` : sql`and e.customer_id = any(${customerIds}::text[])`
  return sql`
    select dimension, value, month, movement, currency, count(*)::bigint as event_count,
           sum(change_cents)::bigint as change_cents, coalesce(sum(reporting_cents), 0)::bigint as reporting_cents,
           count(*) filter (where reporting_cents is null)::bigint as unconverted_count,
           coalesce(sum(change_cents) filter (where reporting_cents is null), 0)::bigint as unconverted_cents,
           sum((paying > 0)::integer - (paying - paying_change > 0)::integer)::bigint as customer_count,
           coalesce(sum(paying_change) filter (where reporting_cents is not null), 0)::bigint as subscription_count
      from (
        select to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD') as day,
               to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM') as month,
               e.mrr_status as movement, e.currency, e.mrr_change_cents as change_cents,
               ${reportingChange} as reporting_cents,
               (e.current_mrr_cents > 0)::integer - (e.previous_mrr_cents > 0)::integer as paying_change,
               sum((e.current_mrr_cents > 0)::integer - (e.previous_mrr_cents > 0)::integer) over so_far as paying,
               c.first_paid_month as cohort, s.id as subscription_id, s.product_name, s.plan_name,
               s.billing_interval_days, s.size
          from events e
          left join subscriptions s on s.organization_id = e.organization_id and s.id = e.subscription_id
          left join customers c on c.organization_id = e.organization_id and c.id = e.customer_id
         where e.organization_id = ${organizationId} and e.mrr_status <> 'Planned_Cancellation' ${ofThese}
        window so_far as (partition by e.customer_id order by e.occurred_at, e.position, e.id)) as moved
     cross join lateral (values
       ('day', day), ('cohort', coalesce(cohort, '')), ('product', coalesce(product_name, '')),
       ('plan', coalesce(plan_name, '')), ('interval', coalesce(billing_interval_days::text, '')),
       ('size', coalesce(size, '')), ('segment', ${segment})) as part (dimension, value)
     group by ${keys}
     union all ${lostRows(tenant, ofThese)}`
}

/**
 * What customers pay less after some months than before them. The row of a last month has by how much that differs from the
 * month before. Of customers with several currencies, a row without one has the reporting amount.
 */
function lostRows({ organizationId }: Tenant, ofThese: RawBuilder<unknown>): RawBuilder<unknown> {
  const spans = sql.join(trailingMonths.map((months) => sql`(${sql.lit(months)})`))
  return sql`
    select 'lost', months::text, to_char(make_date(at / 12, at % 12 + 1, 1), 'YYYY-MM'), '', part, 0,
           sum(least(own, 0) - least(own - own_moved, 0))::bigint,
           sum(least(reporting, 0) - least(reporting - reporting_moved, 0))::bigint, 0, 0, 0, 0
      from (
        select part, months, at, own_moved, reporting_moved, sum(own_moved) over net as own,
               sum(reporting_moved) over net as reporting
          from (
            select customer_id, part, months, at + later as at, sum(moved * sign) as own_moved,
                   sum(reported * sign) as reporting_moved
              from (
                select e.customer_id, e.currency, at, sum(e.mrr_change_cents) as change,
                       coalesce(sum(${reportingChange}), 0) as reporting,
                       min(min(e.mrr_change_cents)) over own as least_change,
                       min(e.currency) over own = max(e.currency) over own as is_alone
                  from events e
                 cross join lateral (select e.occurred_at at time zone 'UTC' as utc) as moment
                 cross join lateral (
                   select (extract(year from utc) * 12 + extract(month from utc) - 1)::integer as at) as numbered
                 where e.mrr_status <> 'Planned_Cancellation' and e.organization_id = ${organizationId} ${ofThese}
                 group by e.customer_id, e.currency, at
                window own as (partition by e.customer_id)) as monthly
             cross join lateral (
               select currency as part, change as moved, case when is_alone then reporting else 0 end as reported
                union all select '', 0, reporting where not is_alone) as parts
             cross join (values ${spans}) as span (months)
             cross join lateral (values (0, 1), (months, -1)) as passing (later, sign)
             where least_change < 0
             group by customer_id, part, months, at + later) as moved
        window net as (partition by customer_id, part, months order by at)) as nets
     group by months, at, part`
}

/** All attributes of the subscription at once, so that filters by several of them add up too; empty without one. */
const segment = sql`case when subscription_id is null then '' else jsonb_build_object(
  'product', product_name, 'plan', plan_name, 'interval', billing_interval_days, 'size', size)::text end`

/**
 * Lets `work` write the events and figures of these customers, and adds what that changed to the totals. It locks the
 * customers first, so that nobody else writes theirs meanwhile.
 */
export async function writeMovements<T>(
  tenant: Tenant,
  customerIds: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  await sql`
    select from customers where organization_id = ${tenant.organizationId} and id = any(${customerIds}::text[])
     order by id for no key update`.execute(tenant.sql)
  const isKept = await areMovementsCounted(tenant)
  const before = isKept
    ? await sql<MovementRow>`${movementRows(tenant, customerIds)}`.execute(tenant.sql)
    : null
  const done = await work()
  await settleSegments(tenant, customerIds)
  if (before !== null) await addDifferences(tenant, before.rows, customerIds)
  return done
}

async function addDifferences(
  tenant: Tenant,
  before: readonly MovementRow[],
  customerIds: readonly string[],
): Promise<void> {
  const sums = sumsOf((name) => `one * ${name}`)
  await sql`
    insert into movement_totals (organization_id, ${keys}, ${figures})
    select ${tenant.organizationId}::integer, ${keys}, ${figures}
      from (select ${keys}, ${sums}
              from (select 1 as one, later.* from (${movementRows(tenant, customerIds)}) as later
                    union all
                    select -1, ${keys}, ${figures} from ${columnRows(before, rowColumns)} as earlier) as change
             group by ${keys}) as difference
     where (${figures}) <> (${noFigures})`.execute(tenant.sql)
}

/**
 * Whether differences are kept. Before the first count nothing is added, since a first import would add more rows than
 * it has events; the lock makes that count wait for this transaction.
 */
async function areMovementsCounted(tenant: Tenant): Promise<boolean> {
  const isCounted = async (lock: RawBuilder<unknown>) =>
    (
      await sql`
        select from payment_mirrors
         where organization_id = ${tenant.organizationId} and movements_counted_at is not null ${lock}`.execute(
        tenant.sql,
      )
    ).rows.length > 0
  if (await isCounted(sql``)) return true
  await sql`select from payment_mirrors where organization_id = ${tenant.organizationId} for share`.execute(
    tenant.sql,
  )
  return isCounted(sql``)
}

/** Adds up the differences; counts the events where nothing was counted yet. */
export async function addUpMovements(tenant: Tenant): Promise<void> {
  await lockMovements(tenant)
  if (!(await areMovementsCounted(tenant))) return recountMovements(tenant)
  const sums = sumsOf((name) => name)
  await replaceMovements(
    tenant,
    sql`select * from (select ${keys}, ${sums} from gone group by ${keys}) as added where (${figures}) <> (${noFigures})`,
  )
}

/** Counts all events, in place of all differences. One statement sees a writer's rows and difference, or neither. */
export async function recountMovements(tenant: Tenant): Promise<void> {
  // A large ledger needs more time than a request may take.
  await sql`select set_config('statement_timeout', '0', true)`.execute(tenant.sql)
  await lockMovements(tenant)
  if (!(await areMovementsCounted(tenant))) {
    // Writers wait for this row. Later each settles its own customers, and nobody may settle them beside it.
    await sql`
      update payment_mirrors set movements_counted_at = current_timestamp
       where organization_id = ${tenant.organizationId}`.execute(tenant.sql)
    await settleSegments(tenant, null)
  }
  await replaceMovements(tenant, movementRows(tenant, null))
}

async function replaceMovements({ organizationId, sql: transaction }: Tenant, totals: RawBuilder<unknown>) {
  await sql`
    with gone as (delete from movement_totals where organization_id = ${organizationId} returning *)
    insert into movement_totals (organization_id, ${keys}, ${figures})
    select ${organizationId}::integer, ${keys}, ${figures} from (${totals}) as totals`.execute(transaction)
}

/** The first half of an advisory lock key; the organization is the second half. */
const movementsLock = 740_116

/** Two statements that replace totals at once would insert both results. */
async function lockMovements({ sql: transaction, organizationId }: Tenant): Promise<void> {
  await sql`select pg_advisory_xact_lock(${movementsLock}::integer, ${organizationId}::integer)`.execute(
    transaction,
  )
}
