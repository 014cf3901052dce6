import { sql } from 'kysely'
import type { CrmEventSource, CrmKind, CrmSubscriptionSource } from '#domain/crm-record.ts'
import type { Tenant } from './database.ts'

/** What is known of the record in the CRM beside what it should say. */
export type PushState = {
  state: string | null
  confirmedHash: string | null
  refusedHash: string | null
  /** The run that wrote or tried it last. */
  runId: string | null
  /** Whether our row was written after the CRM confirmed the record, which need not mean that the record changed. */
  isOlder: boolean
}

/** A source without the links into the payment provider's pages, which are not kept. */
export type SubscriptionToPush = Omit<CrmSubscriptionSource, 'url'> & PushState
export type EventToPush = Omit<CrmEventSource, 'subscriptionUrl' | 'invoiceUrl'> & PushState

function linkOf(portalId: string, kind: CrmKind) {
  return sql`left join crm_links l on l.organization_id = x.organization_id and l.portal_id = ${portalId}
                                  and l.kind = ${kind} and l.source_id = x.id`
}

const customer = sql`
  jsonb_build_object('id', x.customer_id, 'name', c.name, 'email', c.email) as customer,
  l.state, l.confirmed_hash as "confirmedHash", l.refused_hash as "refusedHash", l.run_id as "runId",
  coalesce(l.confirmed_at < x.updated_at, false) as "isOlder"`

const customerJoin = sql`left join customers c on c.organization_id = x.organization_id and c.id = x.customer_id`

/** A page after an id, or rows of these very ids. */
export type SourcePage = { afterId: string; limit: number } | { ids: readonly string[] }

function within(page: SourcePage) {
  return 'ids' in page
    ? sql`x.id = any(${[...page.ids]}::text[]) order by x.id`
    : sql`x.id > ${page.afterId} order by x.id limit ${page.limit}`
}

/** How many rows of a kind there are where nothing was ever sent of it; undefined where something was. */
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
    .executeTakeFirstOrThrow()
  return counted.count
}

/** Subscriptions by id, with their state in the portal. */
export async function listSubscriptionsToPush(
  tenant: Tenant,
  portalId: string,
  page: SourcePage,
): Promise<SubscriptionToPush[]> {
  const { rows } = await sql<SubscriptionToPush>`
    select x.id, x.status, x.current_mrr_cents as "mrrCents", x.currency, x.quantity,
           x.product_name as "productName", x.billing_interval_days as "billingIntervalDays",
           floor(extract(epoch from x.created_at))::bigint as "createdAt",
           floor(extract(epoch from x.current_period_start))::bigint as "periodStart",
           floor(extract(epoch from x.current_period_end))::bigint as "periodEnd",
           x.next_renewal_on as "nextRenewalOn",
           (x.body ->> 'trialEnd')::bigint as "trialEnd", (x.body ->> 'cancelAt')::bigint as "cancelAt",
           (x.body ->> 'endedAt')::bigint as "endedAt",
           x.unsupported_reason as "unsupportedReason", x.receipt, ${customer}
      from subscriptions x ${customerJoin} ${linkOf(portalId, 'subscription')}
     where x.organization_id = ${tenant.organizationId} and ${within(page)}`.execute(tenant.sql)
  return rows
}

/** Events by id, with their state in the portal. */
export async function listEventsToPush(
  tenant: Tenant,
  portalId: string,
  page: SourcePage,
): Promise<EventToPush[]> {
  const { rows } = await sql<EventToPush>`
    select x.id, x.subscription_id as "subscriptionId", x.invoice_id as "invoiceId",
           floor(extract(epoch from x.occurred_at))::bigint as "occurredAt",
           x.mrr_status as "mrrStatus", x.change_type as "changeType",
           x.previous_mrr_cents as "previousMrrCents", x.current_mrr_cents as "currentMrrCents",
           x.mrr_change_cents as "mrrChangeCents", x.currency,
           x.previous_quantity as "previousQuantity", x.current_quantity as "currentQuantity",
           x.product_name as "productName", x.payment_method as "paymentMethod", x.receipt, ${customer}
      from events x ${customerJoin} ${linkOf(portalId, 'event')}
     where x.organization_id = ${tenant.organizationId} and ${within(page)}`.execute(tenant.sql)
  return rows
}
