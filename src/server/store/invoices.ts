import { sql } from 'kysely'
import type { InvoicePayment, PaymentInvoice } from '#domain/payments.ts'
import { markRebuildDue, settledAmong } from './customers.ts'
import type { Tenant } from './database.ts'
import { jsonRows } from './json-rows.ts'

/** Takes invoices over with all their lines; customers of those that changed are marked for the rebuild. */
export async function saveInvoices(tenant: Tenant, invoices: readonly PaymentInvoice[]): Promise<void> {
  if (invoices.length === 0) return
  const { rows } = await sql<{ customer_id: string }>`
    with saved as (
    insert into invoices as known
      (organization_id, id, customer_id, subscription_id, status, billing_reason, currency, number, customer_name,
       customer_email, total_discount_cents, discounts, lines, created_at, finalized_at, uncollectible_at)
    select ${tenant.organizationId}, id, "customerId", "subscriptionId", status, "billingReason", currency, number,
           "customerName", "customerEmail", "totalDiscountCents", discounts, lines, to_timestamp("createdAt"),
           to_timestamp("finalizedAt"), to_timestamp("uncollectibleAt")
      from jsonb_to_recordset(${jsonRows(invoices)}::jsonb) as given (
        id text, "customerId" text, "subscriptionId" text, status text, "billingReason" text, currency text,
        number text, "customerName" text, "customerEmail" text, "totalDiscountCents" bigint, discounts jsonb,
        lines jsonb, "createdAt" bigint, "finalizedAt" bigint, "uncollectibleAt" bigint)
    on conflict (organization_id, id) do update set
      customer_id = excluded.customer_id, subscription_id = excluded.subscription_id, status = excluded.status,
      billing_reason = excluded.billing_reason, currency = excluded.currency, number = excluded.number,
      customer_name = excluded.customer_name, customer_email = excluded.customer_email,
      total_discount_cents = excluded.total_discount_cents, discounts = excluded.discounts, lines = excluded.lines,
      created_at = excluded.created_at, finalized_at = excluded.finalized_at,
      uncollectible_at = excluded.uncollectible_at
    where (known.customer_id, known.subscription_id, known.status, known.billing_reason, known.currency, known.number,
           known.customer_name, known.customer_email, known.total_discount_cents, known.discounts, known.lines,
           known.created_at, known.finalized_at, known.uncollectible_at)
      is distinct from
          (excluded.customer_id, excluded.subscription_id, excluded.status, excluded.billing_reason,
           excluded.currency, excluded.number, excluded.customer_name, excluded.customer_email,
           excluded.total_discount_cents, excluded.discounts, excluded.lines, excluded.created_at,
           excluded.finalized_at, excluded.uncollectible_at)
    returning customer_id)
    ${settledAmong(tenant)}`.execute(tenant.sql)
  await markRebuildDue(
    tenant,
    rows.map((row) => row.customer_id),
  )
}

/** Takes over how invoices were paid; it shows on events, so their customers are marked for the rebuild. */
export async function saveInvoicePayments(
  tenant: Tenant,
  payments: readonly InvoicePayment[],
): Promise<void> {
  if (payments.length === 0) return
  const { rows } = await sql<{ customer_id: string }>`
    with paid as (
    insert into invoice_payments as known (organization_id, id, invoice_id, payment_method, created_at)
    select ${tenant.organizationId}, id, "invoiceId", "paymentMethod", to_timestamp("createdAt")
      from jsonb_to_recordset(${jsonRows(payments)}::jsonb) as given (
        id text, "invoiceId" text, "paymentMethod" jsonb, "createdAt" bigint)
    on conflict (organization_id, id) do update set
      invoice_id = excluded.invoice_id, payment_method = excluded.payment_method,
      created_at = excluded.created_at
    where (known.invoice_id, known.payment_method, known.created_at)
      is distinct from (excluded.invoice_id, excluded.payment_method, excluded.created_at)
    returning invoice_id),
    saved as (
      select i.customer_id from paid cross join lateral (
        select customer_id from invoices
         where organization_id = ${tenant.organizationId} and id = paid.invoice_id offset 0) as i)
    ${settledAmong(tenant)}`.execute(tenant.sql)
  await markRebuildDue(
    tenant,
    rows.map((row) => row.customer_id),
  )
}

/** Lets go of invoices that the provider says do not exist any more: drafts can be deleted. */
export async function deleteInvoices(tenant: Tenant, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const deleted = await tenant.sql
    .deleteFrom('invoices')
    .where('organization_id', '=', tenant.organizationId)
    .where('id', 'in', [...ids])
    .returning('customer_id')
    .execute()
  await markRebuildDue(
    tenant,
    deleted.map((row) => row.customer_id),
  )
}
