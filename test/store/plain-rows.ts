import { run as query } from '../database.ts'
import type { LargeOrganization } from './large-organization.ts'

/** A row as a plain statement reads it, with what its filters look at. */
export type PlainRow = {
  id: string
  status: string
  at: string
  customerId: string
  product: string | null
  plan: string | null
  size: string | null
  currency: string
  interval: number | null
  renewsOn: string | null
  isMatched: boolean
  firstPaid: string | null
  isCanceling: boolean
  isStale: boolean
  isInHubspot: boolean
  isFailing: boolean
  /** Whether it changed since its record was confirmed. */
  isBehind: boolean
  /** Whether the subscription is stored; without it, an event has no product, plan, interval or size. */
  isOfSubscription: boolean
  /** What the row adds to the sums, in minor units. */
  cents: number
  /** The same in the reporting currency; null without a rate. */
  reporting: number | null
}

/** Gives the rows different values for every filter. What has no record is kept for portal 1. */
export async function spreadFilters(large: LargeOrganization): Promise<void> {
  await query(
    large.db.ownerUrl,
    `update subscriptions set currency = (array['usd', 'usd', 'eur'])[1 + length(id) % 3],
            reporting_mrr_cents = case when length(id) % 3 < 2 then current_mrr_cents * 2 end,
            created_at = timestamptz '2025-12-30' + (substr(id, 5)::integer * 7) % 400 * interval '1 hour';
     update events e set currency = coalesce((select s.currency from subscriptions s where s.id = e.subscription_id), 'gbp');
     update events set reporting_change_cents = case when position > 0 then substr(id, 4)::integer % 5 - 2 end,
            occurred_at = occurred_at + coalesce(substr(customer_id, 5)::integer % 3, 0) * interval '31 days';
     insert into payment_mirrors (organization_id, is_live) select id, true from organization;
     update subscriptions set body = case substr(id, 5)::integer % 5 when 1 then '{"cancelAtPeriodEnd": true}'
            when 2 then '{"cancelAtPeriodEnd": false, "cancelAt": 1}' else '{"cancelAt": null}' end::jsonb;
     insert into freshness (organization_id, subscription_id, changed_at, ledger_at, crm_at)
     select organization_id, id, timestamptz '2026-01-01' + substr(id, 5)::integer % 3 * interval '1 day', now(),
            case when substr(id, 5)::integer % 2 > 0 then now() end from subscriptions;
     insert into push_marks (organization_id, portal_id, basis) select id, '1', '' from organization;
     select settle_all_unsent(id) from organization;
     insert into crm_links (organization_id, portal_id, kind, source_id, record_id, state, confirmed_at)
     select organization_id, portal, kind, id, case when number % 4 > 0 then id end,
            (array['confirmed', 'failed', 'removed', 'pending'])[1 + (number + portal::integer) % 7 % 4],
            case number % 3 when 1 then timestamptz '2000-01-01' when 2 then now() + interval '1 day' end
       from (select organization_id, 'subscription' as kind, id, substr(id, 5)::integer as number from subscriptions
             union all select organization_id, 'event', id, substr(id, 4)::integer from events) as sources,
            (values ('1'), ('2')) as portals (portal) where number % 9 > 0;
     update customers c set first_paid_month = (
       select to_char(min(occurred_at) at time zone 'UTC', 'YYYY-MM') from events e
        where e.customer_id = c.id and e.mrr_change_cents > 0);
     update customers set is_attached = exists (select from matches m where m.customer_id = customers.id
            and m.state = 'linked' and m.portal_id = '1');
     analyze subscriptions, customers, crm_links, crm_unsent, freshness`,
  )
}

/** Subscriptions and events as plain statements read them. */
export async function readPlainRows(
  large: LargeOrganization,
): Promise<{ subscriptions: Map<string, PlainRow>; events: Map<string, PlainRow> }> {
  const segment = `s.id is not null as "isOfSubscription", s.product_name as product, s.plan_name as plan, s.size, r.currency, s.billing_interval_days as interval,
    to_char(s.next_renewal_on, 'YYYY-MM-DD') as "renewsOn", exists (select from matches m where m.customer_id = r.customer_id
      and m.state = 'linked' and m.portal_id = '1') as "isMatched", r.customer_id as "customerId",
    (s.body ->> 'cancelAtPeriodEnd' = 'true' or s.body ->> 'cancelAt' is not null) is true
      and s.status <> 'canceled' as "isCanceling",
    exists (select from freshness f where f.subscription_id = s.id and f.crm_at is null
      and f.changed_at < '2026-01-02') as "isStale",
    coalesce(l.record_id is not null and l.state <> 'removed', false) as "isInHubspot",
    coalesce(l.state = 'failed', false) as "isFailing",
    coalesce(l.record_id is not null and l.state <> 'removed', false)
      and (l.state = 'confirmed' and l.confirmed_at >= r.updated_at) is not true as "isBehind",
    (select first_paid_month from customers c where c.id = r.customer_id) as "firstPaid"`
  const ownLink = (kind: string) =>
    `left join crm_links l on l.portal_id = '1' and l.kind = '${kind}' and l.source_id = r.id`
  const day = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD') as at`
  const read = async (text: string) =>
    new Map(
      (await query<PlainRow>(large.db.ownerUrl, text)).map((row) => [
        row.id,
        {
          ...row,
          interval: row.interval === null ? null : Number(row.interval),
          cents: Number(row.cents),
          reporting: row.reporting === null ? null : Number(row.reporting),
        },
      ]),
    )
  const subscriptions = await read(
    `select r.id, r.status, ${day('r.created_at')}, ${segment}, r.current_mrr_cents as cents, r.reporting_mrr_cents as reporting
       from subscriptions r join subscriptions s on s.id = r.id ${ownLink('subscription')} where r.quantity is not null`,
  )
  const events = await read(
    `select r.id, r.mrr_status as status, ${day('r.occurred_at')}, ${segment}, r.mrr_change_cents as cents, r.reporting_change_cents as reporting
       from events r left join subscriptions s on s.id = r.subscription_id ${ownLink('event')}`,
  )
  return { subscriptions, events }
}
