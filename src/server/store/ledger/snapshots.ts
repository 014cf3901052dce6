import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'

/**
 * Derives the snapshot of every 1st at 00:00 UTC up to `until` from the ledger (R38). It includes events in
 * that very second; a currency starts with its first event.
 */
export async function deriveSnapshots(tenant: Tenant, until: Date, at: Date): Promise<void> {
  await sql`
    with changes as (
      select currency,
             to_char(date_trunc('month', occurred_at at time zone 'UTC' - interval '1 second') + interval '1 month',
                     'YYYY-MM') as month,
             sum(mrr_change_cents) as cents,
             sum((current_mrr_cents > 0)::int - (previous_mrr_cents > 0)::int) as subscriptions,
             sum(reporting_change_cents) as reporting,
             sum(mrr_change_cents) filter (where reporting_change_cents is null) as unconverted,
             sum((current_mrr_cents > 0)::int - (previous_mrr_cents > 0)::int)
               filter (where reporting_change_cents is null) as apart
        from events
       where organization_id = ${tenant.organizationId} and occurred_at <= ${until}
       group by 1, 2),
    months as (
      select currency, to_char(month, 'YYYY-MM') as month
        from (select currency, min(month) as first from changes group by currency) as began,
             generate_series((first || '-01')::timestamp, ${until}::timestamptz at time zone 'UTC',
                             interval '1 month') as month),
    derived as (
      select month, currency,
             (sum(coalesce(cents, 0)) over upto)::bigint as mrr_cents,
             (sum(coalesce(subscriptions, 0)) over upto)::integer as active_subscriptions,
             (sum(coalesce(reporting, 0)) over upto)::bigint as reporting_cents,
             (sum(coalesce(unconverted, 0)) over upto)::bigint as unconverted_cents,
             (sum(coalesce(apart, 0)) over upto)::integer as unconverted_subscriptions
        from months left join changes using (currency, month)
      window upto as (partition by currency order by month)),
    gone as (
      delete from snapshots s where organization_id = ${tenant.organizationId}
         and not exists (select from derived d where d.month = s.month and d.currency = s.currency))
    insert into snapshots as known (organization_id, month, currency, mrr_cents, active_subscriptions,
                                    reporting_cents, unconverted_cents, unconverted_subscriptions, captured_at)
    select ${tenant.organizationId}, month, currency, mrr_cents, active_subscriptions, reporting_cents,
           unconverted_cents, unconverted_subscriptions, ${at} from derived
    on conflict (organization_id, month, currency) do update set
      mrr_cents = excluded.mrr_cents, active_subscriptions = excluded.active_subscriptions,
      reporting_cents = excluded.reporting_cents, unconverted_cents = excluded.unconverted_cents,
      unconverted_subscriptions = excluded.unconverted_subscriptions, captured_at = excluded.captured_at
    where (known.mrr_cents, known.active_subscriptions, known.reporting_cents, known.unconverted_cents,
           known.unconverted_subscriptions)
      is distinct from (excluded.mrr_cents, excluded.active_subscriptions, excluded.reporting_cents,
           excluded.unconverted_cents, excluded.unconverted_subscriptions)`.execute(tenant.sql)
}

/** Sets what months in other currencies are at the rates of their 1st, in minor units of the reporting currency; null has none. */
export async function revalueSnapshots(
  tenant: Tenant,
  months: readonly { month: string; currency: string; cents: number | null }[],
): Promise<void> {
  await sql`
    update snapshots as known set
      reporting_cents = coalesce(given.cents, 0),
      unconverted_cents = case when given.cents is null then mrr_cents else 0 end,
      unconverted_subscriptions = case when given.cents is null then active_subscriptions else 0 end
      from jsonb_to_recordset(${storableJson(months)}::jsonb) as given (month text, currency text, cents bigint)
     where known.organization_id = ${tenant.organizationId} and known.month = given.month
       and known.currency = given.currency`.execute(tenant.sql)
}
