// A change is dated by the provider's event that named one of its objects. What the first import and recounts change has no
// event, and so counts nowhere.

import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** When a record's last change happened at the payment provider, stood in the ledger, and stood in the CRM. */
export type Freshness = { changedAt: Date; ledgerAt: Date; crmAt: Date | null }

/** Where a change arrives. */
export type Arrival = 'ledger' | 'crm'

/** A record whose change took longer than promised. */
export type LateRecord = { subscriptionId: string; name: string | null; changedAt: Date; seconds: number }

/** How long changes took, in seconds. */
export type Lags = { count: number; median: number; p95: number }

/**
 * Notes which subscriptions a run's events changed in the ledger. Call it before the run's changes are settled. Returns
 * how many seconds each took from the provider to the ledger.
 */
export async function noteInLedger(tenant: Tenant, runId: string): Promise<number[]> {
  const { organizationId } = tenant
  const ofTenant = (alias: string) => sql`${sql.ref(`${alias}.organization_id`)} = ${organizationId}`
  const { rows } = await sql<{ seconds: number }>`
    with named as (
      select o ->> 'kind' as kind, o ->> 'id' as id, min(c.happened_at) as changed_at
        from payment_changes c
        join connections n on n.organization_id = c.organization_id and n.provider = 'payments',
             jsonb_array_elements(c.objects) as o
       where ${ofTenant('c')} and c.run_id = ${runId} and c.settled_at is null and c.happened_at >= n.connected_at
       group by 1, 2),
    touched as (
      select s.id, n.changed_at from named n join subscriptions s on s.id = n.id
       where n.kind = 'subscriptions' and ${ofTenant('s')}
      union all
      select s.id, n.changed_at from named n join subscriptions s on s.customer_id = n.id
       where n.kind in ('customers', 'payers') and ${ofTenant('s')}
      union all
      select i.subscription_id, n.changed_at from named n join invoices i on i.id = n.id
       where n.kind = 'invoices' and ${ofTenant('i')} and i.subscription_id is not null),
    changed as (
      select t.id, min(t.changed_at) as changed_at,
             max(greatest(s.updated_at, (select max(e.updated_at) from events e
                                          where ${ofTenant('e')} and e.subscription_id = t.id))) as ledger_at
        from touched t join subscriptions s on ${ofTenant('s')} and s.id = t.id and s.quantity is not null
       group by t.id)
    insert into freshness as known (organization_id, subscription_id, changed_at, ledger_at)
    select ${organizationId}, id, changed_at, ledger_at from changed
     where ledger_at >= (select created_at from runs where organization_id = ${organizationId} and id = ${runId})
     order by id
    on conflict (organization_id, subscription_id) do update set
      changed_at = case when known.crm_at is null then least(known.changed_at, excluded.changed_at)
                        else excluded.changed_at end,
      ledger_at = excluded.ledger_at, crm_at = null
    returning greatest(extract(epoch from ledger_at - changed_at), 0)::float8 as seconds`.execute(tenant.sql)
  return rows.map(({ seconds }) => seconds)
}

/** One statement looks at this many waiting records. */
const waitingMax = 5_000

/**
 * Notes which waiting changes stand in the CRM now, with all events of their subscription. A record that somebody
 * deleted there waits for nothing. Returns how many seconds each took from the provider to the CRM.
 */
export async function noteInCrm(tenant: Tenant, portalId: string): Promise<number[]> {
  const { organizationId } = tenant
  const { rows } = await sql<{ seconds: number }>`
    with waiting as materialized (
      select subscription_id as id from freshness
       where organization_id = ${organizationId} and crm_at is null limit ${waitingMax}),
    records as (
      select w.id, 'subscription' as kind, s.id as source_id, s.updated_at
        from waiting w join subscriptions s on s.organization_id = ${organizationId} and s.id = w.id
      union all
      select w.id, 'event', e.id, e.updated_at
        from waiting w join events e on e.organization_id = ${organizationId} and e.subscription_id = w.id),
    done as (
      select r.id, max(l.confirmed_at) as crm_at
        from records r
        left join crm_links l on l.organization_id = ${organizationId} and l.portal_id = ${portalId}
                             and l.kind = r.kind and l.source_id = r.source_id
       group by r.id
      having bool_and(coalesce(l.state = 'removed' or (l.state = 'confirmed' and l.confirmed_at >= r.updated_at), false)))
    update freshness f set crm_at = greatest(done.crm_at, f.ledger_at)
      from done
     where f.organization_id = ${organizationId} and f.subscription_id = done.id
    returning greatest(extract(epoch from f.crm_at - f.changed_at), 0)::float8 as seconds`.execute(tenant.sql)
  return rows.map(({ seconds }) => seconds)
}

/** Undefined if the subscription has not changed since the first import. */
export async function findFreshness(tenant: Tenant, subscriptionId: string): Promise<Freshness | undefined> {
  return tenant.sql
    .selectFrom('freshness')
    .select(['changed_at as changedAt', 'ledger_at as ledgerAt', 'crm_at as crmAt'])
    .where('organization_id', '=', tenant.organizationId)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()
}

/** Of a customer's subscriptions, the change that waits longest for the CRM; the latest if none waits. */
export async function findCustomerFreshness(
  tenant: Tenant,
  customerId: string,
): Promise<Freshness | undefined> {
  const { rows } = await sql<Freshness>`
    select f.changed_at as "changedAt", f.ledger_at as "ledgerAt", f.crm_at as "crmAt"
      from subscriptions s
      join freshness f on f.organization_id = s.organization_id and f.subscription_id = s.id
     where s.organization_id = ${tenant.organizationId} and s.customer_id = ${customerId}
     order by f.crm_at is null desc, case when f.crm_at is null then f.changed_at end, f.changed_at desc
     limit 1`.execute(tenant.sql)
  return rows[0]
}

/**
 * How long the changes since then took to the CRM; undefined if none arrived there. One that is dated after its arrival,
 * by a clock that is ahead, says nothing of the way.
 */
export async function findCrmLags(tenant: Tenant, since: Date): Promise<Lags | undefined> {
  const { rows } = await sql<{ count: number; median: number; p95: number }>`
    select count(*) as count, percentile_cont(0.5) within group (order by lag) as median,
           percentile_cont(0.95) within group (order by lag) as p95
      from (select greatest(extract(epoch from crm_at - changed_at), 0)::float8 as lag from freshness
             where organization_id = ${tenant.organizationId} and changed_at >= ${since}
               and changed_at < crm_at + interval '1 minute') as lags`.execute(tenant.sql)
  const [row] = rows
  return row === undefined || Number(row.count) === 0 ? undefined : row
}

/**
 * The records since then that took longer than promised, or still do: to the CRM, or to the ledger where nothing is
 * pushed by itself. The latest come first.
 */
export async function listLate(
  tenant: Tenant,
  query: { since: Date; now: Date; seconds: number; to: Arrival; limit: number },
): Promise<{ count: number; records: LateRecord[] }> {
  const arrivedAt = query.to === 'crm' ? sql`coalesce(f.crm_at, ${query.now})` : sql`f.ledger_at`
  const { rows } = await sql<LateRecord & { count: number }>`
    select f.subscription_id as "subscriptionId", coalesce(c.company_name, c.name) as name,
           f.changed_at as "changedAt", extract(epoch from ${arrivedAt} - f.changed_at)::float8 as seconds,
           count(*) over () as count
      from freshness f
      left join subscriptions s on s.organization_id = f.organization_id and s.id = f.subscription_id
      left join customers c on c.organization_id = f.organization_id and c.id = s.customer_id
     where f.organization_id = ${tenant.organizationId} and f.changed_at >= ${query.since}
       and ${arrivedAt} - f.changed_at > make_interval(secs => ${query.seconds})
     order by f.changed_at desc, f.subscription_id limit ${query.limit}`.execute(tenant.sql)
  return {
    count: Number(rows[0]?.count ?? 0),
    records: rows.map(({ count: _count, ...record }) => record),
  }
}

/** When the oldest change happened that is to be pushed by itself and waits; undefined if none does. */
export async function findOldestWaiting(tenant: Tenant): Promise<Date | undefined> {
  const { organizationId } = tenant
  const { rows } = await sql<{ at: Date | null }>`
    select min(changed_at) as at from freshness
     where organization_id = ${organizationId} and crm_at is null
       and exists (select from organization_settings where organization_id = ${organizationId} and auto_sync_enabled)
       and exists (select from connections where organization_id = ${organizationId} and provider = 'crm')`.execute(
    tenant.sql,
  )
  return rows[0]?.at ?? undefined
}
