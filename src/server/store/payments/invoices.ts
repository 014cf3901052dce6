import { type RawBuilder, sql } from 'kysely'
import { billingV2CentsOf } from '#domain/mrr/bills/billing-v2.ts'
import type { ImportedInvoice, InvoicePayment } from '#domain/payments.ts'
import { type ColumnRow, columnRows } from '../postgres/column-rows.ts'
import type { Tenant } from '../postgres/database.ts'
import { onceById, storableJsonOrNull } from '../postgres/json-rows.ts'
import { prepared } from '../postgres/prepared.ts'
import { markRebuildDue, settledAmong } from './customers.ts'
import { keptLines, lineSubscriptionInSql } from './invoice-lines.ts'

const invoiceColumns = {
  id: 'text',
  customerId: 'text',
  customerAccount: 'text',
  subscriptionId: 'text',
  status: 'text',
  billingReason: 'text',
  currency: 'text',
  number: 'text',
  customerName: 'text',
  customerEmail: 'text',
  totalDiscountCents: 'bigint',
  discounts: 'jsonb',
  createdAt: 'bigint',
  finalizedAt: 'bigint',
  uncollectibleAt: 'bigint',
  priceIds: 'text',
  billingV2Cents: 'bigint',
  lines: 'json',
} as const
/** A character that no id contains. */
const priceIdSeparator = '\x1f'

/** An invoice in the form that PostgreSQL receives. */
export type InvoiceRow = ColumnRow<typeof invoiceColumns> & {
  readonly id: string
  readonly isRedacted: boolean
}

export function invoiceRow(invoice: ImportedInvoice): InvoiceRow {
  return {
    ...invoice,
    isRedacted: invoice.isRedacted ?? false,
    uncollectibleAt: invoice.uncollectibleAt ?? null,
    discounts: storableJsonOrNull(invoice.discounts),
    billingV2Cents: billingV2CentsOf(invoice),
    priceIds: priceIdsOf(invoice.lines).join(priceIdSeparator),
    lines: keptLines(invoice.lines),
  }
}

function priceIdsOf(lines: ImportedInvoice['lines']): string[] {
  return [...new Set(lines.flatMap(({ priceId }) => priceId ?? []))]
}

/**
 * How objects are saved. 'first' takes all for new and all customers for due: it looks for no existing row, fails
 * with `unique_violation` if there is one, and marks no customer. 'again' updates rows and marks customers.
 */
export type SaveMode = 'first' | 'again'

/** Saves invoices with all their lines; marks customers of changed ones for the rebuild. */
export async function saveInvoices(
  tenant: Tenant,
  invoices: readonly InvoiceRow[],
  { mode }: { mode: SaveMode },
): Promise<void> {
  if (invoices.length === 0) return
  const saved = sql`
    insert into invoices as known
      (organization_id, id, customer_id, customer_account, subscription_id, status, billing_reason, currency, number, customer_name,
       customer_email, total_discount_cents, discounts, created_at, finalized_at, uncollectible_at, price_ids, billing_v2_cents, lines)
    select ${tenant.organizationId}, id, "customerId", "customerAccount", "subscriptionId", status, "billingReason", currency, number,
           "customerName", "customerEmail", "totalDiscountCents", discounts, to_timestamp("createdAt"),
           to_timestamp("finalizedAt"), to_timestamp("uncollectibleAt"),
           string_to_array("priceIds", ${priceIdSeparator}), "billingV2Cents", lines
      from ${columnRows(onceById(invoices), invoiceColumns)} as given
    ${mode === 'first' ? sql`` : replacingInvoices}`
  if (mode === 'first') await sql`${prepared} ${saved}`.execute(tenant.sql)
  else await markSaved(tenant, sql`with saved as (${saved} returning customer_id)`)
}

/**
 * An invoice without a customer belongs to its subscription's customer once that is known (`attachInvoices`), and
 * keeps it.
 */
const customerNow = sql`coalesce(excluded.customer_id, known.customer_id)`

const replacingInvoices = sql`
    on conflict (organization_id, id) do update set
      customer_id = ${customerNow}, customer_account = excluded.customer_account,
      subscription_id = excluded.subscription_id, status = excluded.status,
      billing_reason = excluded.billing_reason, currency = excluded.currency, number = excluded.number,
      customer_name = excluded.customer_name, customer_email = excluded.customer_email,
      total_discount_cents = excluded.total_discount_cents, discounts = excluded.discounts, lines = excluded.lines,
      price_ids = excluded.price_ids, billing_v2_cents = excluded.billing_v2_cents, created_at = excluded.created_at, finalized_at = excluded.finalized_at,
      uncollectible_at = excluded.uncollectible_at
    where (known.customer_id, known.customer_account, known.subscription_id, known.status, known.billing_reason, known.currency, known.number,
           known.customer_name, known.customer_email, known.total_discount_cents, known.discounts,
           known.created_at, known.finalized_at, known.uncollectible_at)
      is distinct from
          (${customerNow}, excluded.customer_account, excluded.subscription_id, excluded.status, excluded.billing_reason,
           excluded.currency, excluded.number, excluded.customer_name, excluded.customer_email,
           excluded.total_discount_cents, excluded.discounts, excluded.created_at,
           excluded.finalized_at, excluded.uncollectible_at)
       or (known.lines::text <> excluded.lines::text and known.lines::jsonb <> excluded.lines::jsonb)`

/** Marks the customers of the rows `saved` that have no mark yet. */
async function markSaved(tenant: Tenant, saved: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ customer_id: string }>`
    ${saved} ${settledAmong(tenant)}`.execute(tenant.sql)
  await markRebuildDue(
    tenant,
    rows.map((row) => row.customer_id),
  )
}

/**
 * Assigns invoices without a customer to the customer of their subscription, or of one that a line mentions. Marks
 * those customers for the rebuild and returns them.
 */
export async function attachInvoices(tenant: Tenant): Promise<string[]> {
  const { rows } = await sql<{ customer_id: string }>`
    update invoices i set customer_id = s.customer_id from subscriptions s
     where i.organization_id = ${tenant.organizationId} and i.customer_id is null
       and s.organization_id = ${tenant.organizationId} and s.customer_id <> ''
       and s.id = coalesce(i.subscription_id, (
             select ${lineSubscriptionInSql} from json_array_elements(i.lines) as line
              where ${lineSubscriptionInSql} is not null limit 1))
    returning i.customer_id`.execute(tenant.sql)
  const ids = [...new Set(rows.map((row) => row.customer_id))]
  await markRebuildDue(tenant, ids)
  return ids
}

const paymentColumns = { id: 'text', invoiceId: 'text', paymentMethod: 'jsonb', createdAt: 'bigint' } as const

/** An invoice's payment in the form that PostgreSQL receives. */
export type InvoicePaymentRow = ColumnRow<typeof paymentColumns> & { readonly id: string }

export function invoicePaymentRow(payment: InvoicePayment): InvoicePaymentRow {
  return { ...payment, paymentMethod: storableJsonOrNull(payment.paymentMethod) }
}

/** Saves how invoices were paid. Events show it, so their customers are marked for the rebuild. */
export async function saveInvoicePayments(
  tenant: Tenant,
  payments: readonly InvoicePaymentRow[],
  { mode }: { mode: SaveMode },
): Promise<void> {
  if (payments.length === 0) return
  const paid = sql`
    insert into invoice_payments as known (organization_id, id, invoice_id, payment_method, created_at)
    select ${tenant.organizationId}, id, "invoiceId", "paymentMethod", to_timestamp("createdAt")
      from ${columnRows(onceById(payments), paymentColumns)} as given
    ${mode === 'first' ? sql`` : replacingPayments}`
  if (mode === 'first') await sql`${prepared} ${paid}`.execute(tenant.sql)
  else
    await markSaved(
      tenant,
      sql`
      with paid as (${paid} returning invoice_id),
      saved as (
        select i.customer_id from paid cross join lateral (
          select customer_id from invoices
           where organization_id = ${tenant.organizationId} and id = paid.invoice_id offset 0) as i)`,
    )
}

const replacingPayments = sql`
    on conflict (organization_id, id) do update set
      invoice_id = excluded.invoice_id, payment_method = excluded.payment_method,
      created_at = excluded.created_at
    where (known.invoice_id, known.payment_method, known.created_at)
      is distinct from (excluded.invoice_id, excluded.payment_method, excluded.created_at)`

/** Deletes invoices that no longer exist at the provider, because drafts can be deleted. */
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
