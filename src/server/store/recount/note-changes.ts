import { sql } from 'kysely'
import type { CountedEvent, CountedLedger, CountedSubscription, LedgerChanges } from '#domain/recount.ts'
import type { Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'

/** The stored ledger of these customers before a rebuild overwrites it. */
export async function loadCountedLedger(
  tenant: Tenant,
  customerIds: readonly string[],
): Promise<CountedLedger> {
  const ofThese = sql`organization_id = ${tenant.organizationId} and customer_id = any(${customerIds}::text[])`
  const subscriptions = await sql<CountedSubscription>`
      select id, customer_id as "customerId", current_mrr_cents as "mrrCents", currency, quantity,
             product_name as "productName", billing_interval_days as "billingIntervalDays",
             floor(extract(epoch from current_period_start))::bigint as "periodStart",
             floor(extract(epoch from current_period_end))::bigint as "periodEnd",
             next_renewal_on as "nextRenewalOn", unsupported_reason as "unsupportedReason"
        from subscriptions where ${ofThese}`.execute(tenant.sql)
  const events = await sql<CountedEvent>`
      select id, customer_id as "customerId", subscription_id as "subscriptionId", invoice_id as "invoiceId",
             floor(extract(epoch from occurred_at))::bigint as "occurredAt", mrr_status as "mrrStatus",
             change_type as "changeType", previous_mrr_cents as "previousMrrCents",
             current_mrr_cents as "currentMrrCents", mrr_change_cents as "mrrChangeCents", currency,
             previous_quantity as "previousQuantity", current_quantity as "currentQuantity",
             product_name as "productName", payment_method as "paymentMethod"
        from events where ${ofThese}`.execute(tenant.sql)
  return { subscriptions: subscriptions.rows, events: events.rows }
}

/**
 * Notes what a rebuild changed, in the transaction that writes it. If the same recount rebuilds a customer
 * again, the first 'before' value stays.
 */
export async function noteChanges(
  tenant: Tenant,
  recountId: number,
  { records, customers }: LedgerChanges,
): Promise<void> {
  const { organizationId } = tenant
  if (records.length > 0) {
    // A new event will become a CRM record if its subscription has one.
    await sql`
      insert into recount_records as known
        (organization_id, recount_id, kind, source_id, customer_id, currency, label, before, after, is_in_crm)
      select ${organizationId}, ${recountId}, kind, "sourceId", "customerId", currency, label,
             before, after,
             exists (select from crm_links l
                      where l.organization_id = ${organizationId} and l.portal_id = current_portal(${organizationId})
                        and l.record_id is not null
                        and ((l.kind = given.kind and l.source_id = given."sourceId")
                             or (given.before is null and l.kind = 'subscription'
                                 and l.source_id = given."subscriptionId")))
        from jsonb_to_recordset(${storableJson(records)}::jsonb) as given (
          kind text, "sourceId" text, "customerId" text, "subscriptionId" text, currency text, label text,
          before jsonb, after jsonb)
      on conflict (organization_id, recount_id, kind, source_id) do update set
        label = excluded.label,
        before = case when known.before is null then null
                      else coalesce(excluded.before, '{}') || known.before end,
        after = case when excluded.after is null then null
                     else coalesce(known.after, '{}') || excluded.after end`.execute(tenant.sql)
  }
  if (customers.length === 0) return
  await sql`
    insert into recount_customers
      (organization_id, recount_id, customer_id, currency, mrr_before_cents, mrr_after_cents)
    select ${organizationId}, ${recountId}, "customerId", currency, "mrrBeforeCents", "mrrAfterCents"
      from jsonb_to_recordset(${storableJson(customers)}::jsonb) as given (
        "customerId" text, currency text, "mrrBeforeCents" bigint, "mrrAfterCents" bigint)
    on conflict (organization_id, recount_id, customer_id, currency) do update set
      mrr_after_cents = excluded.mrr_after_cents`.execute(tenant.sql)
}
