import { sql } from 'kysely'
import type { CrmEventSource, CrmKind, CrmSubscriptionSource, ToldValues } from '#domain/crm-record.ts'
import type { CrmConverted } from '#domain/reporting/crm-converted.ts'
import type { Tenant } from '../postgres/database.ts'
import type { PushScope } from './push-due.ts'

/** What we know about the CRM record, apart from the values it should have. */
export type PushState = {
  state: string | null
  confirmedHash: string | null
  /** What is kept of the values that it confirmed last; null for events. */
  told: ToldValues | null
  refusedHash: string | null
  /** The run that last wrote it or tried to. */
  runId: string | null
  /** Whether we know of no CRM record. */
  isNew: boolean
  /** Whether our row was saved after the CRM confirmed the record, possibly without a change. */
  isOlder: boolean
  /** How often what the record says had changed when it was read; see `crm_links`. */
  outdated: number
}

/** A source without the links to the payment provider's pages, which are not stored. */
export type SubscriptionToPush = Omit<CrmSubscriptionSource, 'url'> & CrmConverted & PushState
export type EventToPush = Omit<CrmEventSource, 'subscriptionUrl' | 'invoiceUrl'> & CrmConverted & PushState

/**
 * A page of rows with customer and link, looked up for this page only, because a join would cover all rows for each
 * page. An array of link keys is read once per page even without statistics.
 */
function pageOf(tenant: Tenant, table: 'subscriptions' | 'events', portalId: string, page: SourcePage) {
  const kind = table === 'subscriptions' ? 'subscription' : 'event'
  const isKnown = kind === 'subscription' ? sql`s.quantity is not null` : sql`true`
  return {
    page: sql`with page as materialized (
      select * from ${sql.table(table)} as s
       where s.organization_id = ${tenant.organizationId} and ${isKnown} and ${within(page)}),
    links as materialized (
      select * from crm_links k
       where k.organization_id = ${tenant.organizationId} and k.portal_id = ${portalId} and k.kind = ${kind}
         and k.source_id = any(array(select id from page)))`,
    rows: sql`page as x left join links as l on l.source_id = x.id
    left join lateral (select k.name, k.email from customers k
                        where k.organization_id = x.organization_id and k.id = x.customer_id limit 1) as c on true
   order by x.id`,
  }
}

const customer = sql`
  jsonb_build_object('id', x.customer_id, 'name', c.name, 'email', c.email) as customer,
  l.state, l.confirmed_hash as "confirmedHash",
  l.told, l.refused_hash as "refusedHash", l.run_id as "runId",
  l.record_id is null as "isNew", coalesce(l.outdated > 0 or l.confirmed_at < x.updated_at, false) as "isOlder",
  coalesce(l.outdated, 0) as outdated`

/** A page of the scope after an id, or rows with exactly these ids. */
export type SourcePage = { afterId: string; limit: number; scope?: PushScope } | { ids: readonly string[] }

function within(page: SourcePage) {
  return 'ids' in page
    ? sql`s.id = any(${[...page.ids]}::text[])`
    : sql`s.id > ${page.afterId} and ${isOfScope(page.scope ?? 'all')} order by s.id limit ${page.limit}`
}

function isOfScope(scope: PushScope) {
  return scope === 'all' ? sql`true` : sql`s.customer_id = any(${[...scope.customerIds]}::text[])`
}

/** The number of rows of a kind to push if none was ever sent; undefined otherwise. */
export async function countUnsent(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
): Promise<number | undefined> {
  const sent = await tenant.sql
    .selectFrom('crm_links')
    .select('source_id')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .limit(1)
    .executeTakeFirst()
  if (sent) return undefined
  const counted = await tenant.sql
    .selectFrom(kind === 'subscription' ? 'subscriptions' : 'events')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('organization_id', '=', tenant.organizationId)
    .$if(kind === 'subscription', (counted) => counted.where(sql<boolean>`quantity is not null`))
    .executeTakeFirstOrThrow()
  return counted.count
}

/** Subscriptions with known figures, by id, with their state in the portal. */
export async function listSubscriptionsToPush(
  tenant: Tenant,
  portalId: string,
  page: SourcePage,
): Promise<SubscriptionToPush[]> {
  const from = pageOf(tenant, 'subscriptions', portalId, page)
  const { rows } = await sql<SubscriptionToPush>`${from.page}
    select x.id, x.status, x.current_mrr_cents as "mrrCents", x.currency, x.quantity,
           x.product_name as "productName", x.billing_interval_days as "billingIntervalDays",
           floor(extract(epoch from x.created_at))::bigint as "createdAt",
           floor(extract(epoch from x.current_period_start))::bigint as "periodStart",
           floor(extract(epoch from x.current_period_end))::bigint as "periodEnd",
           x.next_renewal_on as "nextRenewalOn",
           (x.body ->> 'trialEnd')::bigint as "trialEnd", (x.body ->> 'cancelAt')::bigint as "cancelAt",
           (x.body ->> 'endedAt')::bigint as "endedAt",
           x.unsupported_reason as "unsupportedReason", x.receipt,
           x.reporting_mrr_cents as "reportingCents", x.reporting_rate as "reportingRate", ${customer}
      from ${from.rows}`.execute(tenant.sql)
  return rows
}

/** Events by id, with their state in the portal. */
export async function listEventsToPush(
  tenant: Tenant,
  portalId: string,
  page: SourcePage,
): Promise<EventToPush[]> {
  const from = pageOf(tenant, 'events', portalId, page)
  const { rows } = await sql<EventToPush>`${from.page}
    select x.id, x.subscription_id as "subscriptionId", x.invoice_id as "invoiceId",
           floor(extract(epoch from x.occurred_at))::bigint as "occurredAt",
           x.mrr_status as "mrrStatus", x.change_type as "changeType",
           x.previous_mrr_cents as "previousMrrCents", x.current_mrr_cents as "currentMrrCents",
           x.mrr_change_cents as "mrrChangeCents", x.currency,
           x.previous_quantity as "previousQuantity", x.current_quantity as "currentQuantity",
           x.product_name as "productName", x.payment_method as "paymentMethod", x.receipt,
           x.reporting_change_cents as "reportingCents", x.reporting_rate as "reportingRate", ${customer}
      from ${from.rows}`.execute(tenant.sql)
  return rows
}
