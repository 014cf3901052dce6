import { type RawBuilder, sql } from 'kysely'
import type { Receipt } from '#domain/mrr/receipts/receipt.ts'
import type { InvoiceLine } from '#domain/payments.ts'
import { type KeptLine, lineOf } from '../payments/invoice-lines.ts'
import type { Tenant } from '../postgres/database.ts'

/** Whether a receipt in one column says other things than that in another; mostly their text tells that they are the same. */
export function isOtherReceipt(one: string, other: string): RawBuilder<boolean> {
  const [known, given] = [sql.ref(one), sql.ref(other)]
  return sql`(${known}::text is distinct from ${given}::text and ${known}::jsonb is distinct from ${given}::jsonb)`
}

/**
 * Whether it says anything else than by which version of the rules and the policy it was made; 'policyVersion' stood for
 * both before. A row in which nothing but these changed was not updated in the eyes of people, nor is its record in the CRM.
 */
export function isRewordedReceipt(one: string, other: string): RawBuilder<boolean> {
  const versions = sql`'{ruleBookVersion,policyRevision,policyVersion}'::text[]`
  const [known, given] = [sql.ref(one), sql.ref(other)]
  return sql`(${known}::jsonb - ${versions} is distinct from ${given}::jsonb - ${versions})`
}

/** A receipt as it is read back: what the rebuild wrote from this very type, or an earlier release without the versions. */
export type KeptReceipt = Omit<Receipt, Versions> & Partial<Pick<Receipt, Versions>>
type Versions = 'ruleBookVersion' | 'policyRevision'

export type EventReceipt = {
  id: string
  subscriptionId: string
  occurredAt: Date
  previousMrrCents: number
  currentMrrCents: number
  mrrChangeCents: number
  currency: string
  /** Null until the next rebuild of its customer. */
  receipt: KeptReceipt | null
}

/** Why an event's MRR is what it is; undefined for an event that is not there. */
export async function findEventReceipt(tenant: Tenant, id: string): Promise<EventReceipt | undefined> {
  const { rows } = await sql<EventReceipt>`
    select id, subscription_id as "subscriptionId", occurred_at as "occurredAt",
           previous_mrr_cents as "previousMrrCents", current_mrr_cents as "currentMrrCents",
           mrr_change_cents as "mrrChangeCents", currency, receipt
      from events where organization_id = ${tenant.organizationId} and id = ${id}`.execute(tenant.sql)
  return rows[0]
}

export type SubscriptionReceipt = {
  id: string
  currentMrrCents: number
  currency: string
  unsupportedReason: string | null
  receipt: KeptReceipt | null
}

/** Why a subscription's current MRR is what it is; undefined for a subscription that is not there. */
export async function findSubscriptionReceipt(
  tenant: Tenant,
  id: string,
): Promise<SubscriptionReceipt | undefined> {
  const { rows } = await sql<SubscriptionReceipt>`
    select id, current_mrr_cents as "currentMrrCents", currency, unsupported_reason as "unsupportedReason", receipt
      from subscriptions where organization_id = ${tenant.organizationId} and id = ${id}`.execute(tenant.sql)
  return rows[0]
}

/** What a receipt names by id alone. */
export type ReceiptNames = {
  lines: Map<string, InvoiceLine>
  /** Product names by product id. */
  products: Map<string, string>
}

/** The invoice lines and product names of a receipt, as far as they are kept. */
export async function loadReceiptNames(tenant: Tenant, receipt: KeptReceipt): Promise<ReceiptNames> {
  const { parts, ignored } = receipt
  const invoiceIds = [...parts, ...ignored].flatMap(({ invoiceId }) => invoiceId ?? [])
  const lineIds = [...parts.flatMap((part) => part.lineIds), ...ignored.map(({ lineId }) => lineId)]
  const productIds = parts.flatMap(({ productId }) => productId ?? [])
  const lines = await sql<{ line: KeptLine }>`
    select line from invoices, json_array_elements(lines) as line
     where organization_id = ${tenant.organizationId} and id = any(${[...new Set(invoiceIds)]}::text[])
       and line ->> 0 = any(${lineIds}::text[])`.execute(tenant.sql)
  const products = await tenant.sql
    .selectFrom('products')
    .select(['id', 'name'])
    .where('organization_id', '=', tenant.organizationId)
    .where('id', 'in', productIds.length === 0 ? [''] : productIds)
    .execute()
  return {
    lines: new Map(lines.rows.map(({ line }) => [line[0], lineOf(line)])),
    products: new Map(products.map(({ id, name }) => [id, name])),
  }
}
