import { type RawBuilder, sql } from 'kysely'
import type { Receipt } from '#domain/mrr/receipts/receipt.ts'
import type { InvoiceLine } from '#domain/payments.ts'
import { type KeptLine, lineIdInSql, lineOf } from '../payments/invoice-lines.ts'
import type { Tenant } from '../postgres/database.ts'

/** Whether two receipt columns differ. Comparing their text first avoids parsing in most cases. */
export function isOtherReceipt(one: string, other: string): RawBuilder<boolean> {
  const [known, given] = [sql.ref(one), sql.ref(other)]
  return sql`(${known}::text is distinct from ${given}::text and ${known}::jsonb is distinct from ${given}::jsonb)`
}

/**
 * Whether receipts differ beyond the versions of rules and policy; older receipts name both 'policyVersion'.
 * If only versions differ, a row does not count as updated, nor does its CRM record.
 */
export function isRewordedReceipt(one: string, other: string): RawBuilder<boolean> {
  const versions = sql`'{ruleBookVersion,policyRevision,policyVersion}'::text[]`
  const [known, given] = [sql.ref(one), sql.ref(other)]
  return sql`(${known}::jsonb - ${versions} is distinct from ${given}::jsonb - ${versions})`
}

/**
 * A receipt that was read back: the rebuild wrote this type, and earlier releases wrote it without the
 * versions.
 */
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
  /** That of the event before in the subscription; null without one, or if the change did not start from it. */
  previousReceipt: KeptReceipt | null
}

/** Explains an event's MRR; undefined if the event does not exist. */
export async function findEventReceipt(tenant: Tenant, id: string): Promise<EventReceipt | undefined> {
  const { rows } = await sql<EventReceipt>`
    select e.id, e.subscription_id as "subscriptionId", e.occurred_at as "occurredAt",
           e.previous_mrr_cents as "previousMrrCents", e.current_mrr_cents as "currentMrrCents",
           e.mrr_change_cents as "mrrChangeCents", e.currency, e.receipt, before.receipt as "previousReceipt"
      from events e
      left join lateral (
        select p.receipt, p.current_mrr_cents, p.current_quantity, p.currency from events p
         where p.organization_id = e.organization_id and p.subscription_id = e.subscription_id
           and p.occurred_at <= e.occurred_at
           and (p.occurred_at < e.occurred_at or p.position < e.position
             or (p.position = e.position and p.id > e.id))
         order by p.occurred_at desc, p.position desc, p.id limit 1) as before
        on (before.current_mrr_cents, before.current_quantity, before.currency)
           = (e.previous_mrr_cents, e.previous_quantity, e.currency)
     where e.organization_id = ${tenant.organizationId} and e.id = ${id}`.execute(tenant.sql)
  return rows[0]
}

export type SubscriptionReceipt = {
  id: string
  currentMrrCents: number
  currency: string
  unsupportedReason: string | null
  receipt: KeptReceipt | null
}

/** Explains a subscription's current MRR; undefined if the subscription does not exist. */
export async function findSubscriptionReceipt(
  tenant: Tenant,
  id: string,
): Promise<SubscriptionReceipt | undefined> {
  const { rows } = await sql<SubscriptionReceipt>`
    select id, current_mrr_cents as "currentMrrCents", currency, unsupported_reason as "unsupportedReason", receipt
      from subscriptions where organization_id = ${tenant.organizationId} and id = ${id}`.execute(tenant.sql)
  return rows[0]
}

/** Names for what a receipt mentions only by id. */
export type ReceiptNames = {
  lines: Map<string, InvoiceLine>
  /** Product names by product id. */
  products: Map<string, string>
  /** Coupon names by coupon id, of those that have one. */
  coupons: Map<string, string>
}

/** The stored invoice lines, and the names of the products and coupons, of a receipt. */
export async function loadReceiptNames(tenant: Tenant, receipt: KeptReceipt): Promise<ReceiptNames> {
  const { parts, ignored } = receipt
  const invoiceIds = [...parts, ...ignored].flatMap(({ invoiceId }) => invoiceId ?? [])
  const lineIds = [...parts.flatMap((part) => part.lineIds), ...ignored.map(({ lineId }) => lineId)]
  const productIds = parts.flatMap(({ productId }) => productId ?? [])
  const lines = await sql<{ line: KeptLine }>`
    select line from invoices, json_array_elements(lines) as line
     where organization_id = ${tenant.organizationId} and id = any(${[...new Set(invoiceIds)]}::text[])
       and ${lineIdInSql} = any(${lineIds}::text[])`.execute(tenant.sql)
  const products = await tenant.sql
    .selectFrom('products')
    .select(['id', 'name'])
    .where('organization_id', '=', tenant.organizationId)
    .where('id', 'in', productIds.length === 0 ? [''] : productIds)
    .execute()
  const couponIds = parts.flatMap(({ discounts = [] }) => discounts.flatMap(({ couponId }) => couponId ?? []))
  const coupons = await sql<{ id: string; name: string }>`
    select id, body ->> 'name' as name from coupons
     where organization_id = ${tenant.organizationId} and id = any(${[...new Set(couponIds)]}::text[])
       and body ->> 'name' is not null`.execute(tenant.sql)
  return {
    lines: new Map(lines.rows.map(({ line }) => [line[0], lineOf(line)])),
    products: new Map(products.map(({ id, name }) => [id, name])),
    coupons: new Map(coupons.rows.map(({ id, name }) => [id, name])),
  }
}
