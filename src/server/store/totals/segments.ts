import { type RawBuilder, sql } from 'kysely'
import { currenciesWith } from '#domain/currency.ts'
import { sizeFloors } from '#domain/segment.ts'
import type { Tenant } from '../postgres/database.ts'

/**
 * Brings up to date what these customers, or all, are split by in analytics: each subscription's plan in words and the
 * band of its highest MRR, and the month in which the customer first paid.
 */
export async function settleSegments(tenant: Tenant, customerIds: readonly string[] | null): Promise<void> {
  const ofThese = (column: string) =>
    customerIds === null ? sql`` : sql`and ${sql.ref(column)} = any(${customerIds}::text[])`
  await sql`
    with given as materialized (
      select s.id, ${planName} as plan_name, ${sizeOf(sql`highest.cents`)} as size
        from subscriptions s
        left join (
          select subscription_id, case when bool_and(is_converted) then max(level) end as cents
            from (select subscription_id, reporting_change_cents is not null as is_converted,
                         sum(reporting_change_cents) over (
                           partition by subscription_id order by occurred_at, position, id) as level
                    from events where organization_id = ${tenant.organizationId} ${ofThese('customer_id')}) as levels
           group by subscription_id) as highest on highest.subscription_id = s.id
       where s.organization_id = ${tenant.organizationId} ${ofThese('s.customer_id')})
    update subscriptions as known set plan_name = given.plan_name, size = given.size
      from given
     where known.organization_id = ${tenant.organizationId} and known.id = given.id
       and (known.plan_name, known.size) is distinct from (given.plan_name, given.size)`.execute(tenant.sql)
  await sql`
    update customers as known set first_paid_month = given.month
      from (select c.id, (select to_char(min(e.occurred_at) at time zone 'UTC', 'YYYY-MM') from events e
                           where e.organization_id = c.organization_id and e.customer_id = c.id
                             and e.mrr_change_cents > 0) as month
              from customers c where c.organization_id = ${tenant.organizationId} ${ofThese('c.id')}) as given
     where known.organization_id = ${tenant.organizationId} and known.id = given.id
       and known.first_paid_month is distinct from given.month`.execute(tenant.sql)
}

/**
 * The name that the price has, else product, amount and interval: 'Team 20 USD / month'. Of several items, the one of the
 * product with the highest MRR.
 */
const planName = sql.raw(`(
  select coalesce(
           nullif(item #>> '{price,nickname}', ''),
           nullif(concat_ws(' ', s.product_name,
             case when item #>> '{price,unitAmountDecimal}' ~ '^-?[0-9]{1,30}([.][0-9]{1,30})?$' then
               trim_scale(round((item #>> '{price,unitAmountDecimal}')::numeric
                 / case when item #>> '{price,currency}' = any('{${currenciesWith(0)}}') then 1
                        when item #>> '{price,currency}' = any('{${currenciesWith(3)}}') then 1000 else 100 end, 6))::text
               || ' ' || upper(item #>> '{price,currency}') end,
             '/ ' || case item #>> '{price,intervalCount}' when '1' then item #>> '{price,interval}'
                     else (item #>> '{price,intervalCount}') || ' ' || (item #>> '{price,interval}') || 's' end), ''))
    from jsonb_array_elements(case when jsonb_typeof(s.body -> 'items') = 'array' then s.body -> 'items' else '[]' end)
         with ordinality as each (item, place)
    left join products p on p.organization_id = s.organization_id and p.id = item #>> '{price,productId}'
   order by (p.name = s.product_name) desc nulls last, place limit 1)`)

function sizeOf(cents: RawBuilder<unknown>): RawBuilder<string> {
  const bands = Object.entries(sizeFloors).toSorted(([, one], [, other]) => other - one)
  const cases = bands.map(([name, floor]) => sql`when ${cents} >= ${sql.lit(floor)} then ${sql.lit(name)}`)
  return sql`case ${sql.join(cases, sql` `)} end`
}
