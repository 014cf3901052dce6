import { sql } from 'kysely'
import type { MrrEvent } from '#domain/event.ts'
import type { Snapshot } from '#domain/mrr/ledger/snapshots.ts'
import type { Tenant } from '../postgres/database.ts'

/**
 * A page of subscriptions, the number of their events, and the subscriptions whose events do not lead, link
 * by link, to their current MRR.
 */
export type LedgerPage = { lastId: string | undefined; eventCount: number; unevenIds: string[] }

/**
 * Checks the next subscriptions by id: each event must start where the last ended, and the sum must equal the
 * current MRR.
 */
export async function checkLedgerPage(
  tenant: Tenant,
  query: { after: string; limit: number },
): Promise<LedgerPage> {
  const { rows } = await sql<{ lastId: string | null; eventCount: number; unevenIds: string[] }>`
    with page as materialized (
      select id, current_mrr_cents from subscriptions
       where organization_id = ${tenant.organizationId} and id > ${query.after} order by id limit ${query.limit}),
    links as (
      select e.subscription_id, e.mrr_change_cents,
             e.previous_mrr_cents <> lag(e.current_mrr_cents, 1, 0::bigint) over in_time as is_broken
        from page join events e on e.organization_id = ${tenant.organizationId} and e.subscription_id = page.id
      window in_time as (partition by e.subscription_id order by e.occurred_at, e.position)),
    chains as (
      select subscription_id, count(*) as events, sum(mrr_change_cents) as cents, bool_or(is_broken) as is_broken
        from links group by subscription_id),
    checked as (
      select page.id, coalesce(events, 0) as events,
             coalesce(is_broken, false) or coalesce(cents, 0) <> current_mrr_cents as is_uneven
        from page left join chains on chains.subscription_id = page.id)
    select max(id) as "lastId", coalesce(sum(events), 0)::bigint as "eventCount",
           coalesce(array_agg(id order by id) filter (where is_uneven), '{}') as "unevenIds"
      from checked`.execute(tenant.sql)
  const [page] = rows
  return {
    lastId: page?.lastId ?? undefined,
    eventCount: page?.eventCount ?? 0,
    unevenIds: page?.unevenIds ?? [],
  }
}

/** The figures that subscriptions show, and their events in chronological order. */
export type Chains = {
  figures: { subscriptionId: string; currentMrrCents: number; currency: string }[]
  events: MrrEvent[]
}

/** Loads the figures and events of these subscriptions. */
export async function loadChains(tenant: Tenant, ids: readonly string[]): Promise<Chains> {
  const figures = await sql<Chains['figures'][number]>`
    select id as "subscriptionId", current_mrr_cents as "currentMrrCents", currency from subscriptions
     where organization_id = ${tenant.organizationId} and id = any(${ids}::text[]) order by id`.execute(
    tenant.sql,
  )
  const events = await sql<MrrEvent>`
    select id, subscription_id as "subscriptionId", customer_id as "customerId", invoice_id as "invoiceId",
           floor(extract(epoch from occurred_at))::bigint as "occurredAt", mrr_status as "mrrStatus",
           change_type as "changeType", previous_mrr_cents as "previousMrrCents",
           current_mrr_cents as "currentMrrCents", mrr_change_cents as "mrrChangeCents",
           previous_quantity as "previousQuantity", current_quantity as "currentQuantity", currency,
           product_name as "productName"
      from events
     where organization_id = ${tenant.organizationId} and subscription_id = any(${ids}::text[])
     order by occurred_at, position`.execute(tenant.sql)
  return { figures: figures.rows, events: events.rows }
}

/**
 * Subscriptions that have events but no row, ascending. A sum would not reveal them if their events cancel
 * out.
 */
export async function listOrphanedIds(tenant: Tenant, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct subscription_id as id from events e
     where organization_id = ${tenant.organizationId}
       and not exists (select from subscriptions s
                        where s.organization_id = e.organization_id and s.id = e.subscription_id)
     order by id limit ${limit}`.execute(tenant.sql)
  return rows.map((row) => row.id)
}

export type SummedChanges = { currency: string; mrrCents: number; eventCount: number }

/** The sum of all changes of MRR by currency, ascending. */
export async function sumChanges(tenant: Tenant): Promise<SummedChanges[]> {
  const { rows } = await sql<SummedChanges>`
    select currency, sum(mrr_change_cents)::bigint as "mrrCents", count(*) as "eventCount" from events
     where organization_id = ${tenant.organizationId} group by currency order by currency`.execute(tenant.sql)
  return rows
}

/** A snapshot and the subscriptions' state on that 1st; zero for a missing side. */
export type UnevenSnapshot = Snapshot & { stoodAtCents: number; stoodAtSubscriptions: number }

/**
 * Snapshots that differ from the state at 00:00 UTC of the 1st. The state comes from each subscription's
 * figure then, the snapshot from sums of changes, so that neither hides a fault of the other.
 */
export async function listUnevenSnapshots(tenant: Tenant, until: Date): Promise<UnevenSnapshot[]> {
  const { rows } = await sql<UnevenSnapshot>`
    with spans as (
      select currency, current_mrr_cents as cents, occurred_at at time zone 'UTC' as since,
             coalesce(lead(occurred_at) over in_time, ${until}::timestamptz + interval '1 second')
               at time zone 'UTC' as till
        from events where organization_id = ${tenant.organizationId} and occurred_at <= ${until}
      window in_time as (partition by subscription_id order by occurred_at, position)),
    stood as (
      select to_char(first, 'YYYY-MM') as month, currency, sum(cents)::bigint as cents, count(*)::integer as subscriptions
        from spans, generate_series(date_trunc('month', since - interval '1 second') + interval '1 month',
                                    till - interval '1 second', interval '1 month') as first
       where cents > 0 group by 1, 2),
    kept as (
      select month, currency, mrr_cents, active_subscriptions from snapshots
       where organization_id = ${tenant.organizationId}
         and (month || '-01')::timestamp <= ${until}::timestamptz at time zone 'UTC')
    select month, currency, coalesce(mrr_cents, 0) as "mrrCents",
           coalesce(active_subscriptions, 0) as "activeSubscriptions",
           coalesce(cents, 0) as "stoodAtCents", coalesce(subscriptions, 0) as "stoodAtSubscriptions"
      from kept full join stood using (month, currency)
     where coalesce(mrr_cents, 0) <> coalesce(cents, 0)
        or coalesce(active_subscriptions, 0) <> coalesce(subscriptions, 0)
     order by month, currency`.execute(tenant.sql)
  return rows
}
