import { sql } from 'kysely'
import type { InvoiceLine } from '#domain/payments.ts'
import type { Tenant } from '../postgres/database.ts'
import { type KeptLine, lineOf } from './invoice-lines.ts'

/** An invoice as screens show it. */
export type ShownInvoice = {
  invoiceId: string
  number: string | null
  status: string | null
  createdAt: Date
  currency: string
  /** Its lines less its discounts, in minor units, without tax that is added on top; null if its lines are missing. */
  amountCents: number | null
}

type Row = Omit<ShownInvoice, 'amountCents'> & { lines: KeptLine[]; discountCents: number }

const columns = sql`i.id as "invoiceId", i.number, i.status, i.created_at as "createdAt", i.currency, i.lines,
  i.total_discount_cents as "discountCents"`

/** The invoices that the customer's events name, the newest first, and their number. */
export async function listUsedInvoices(
  tenant: Tenant,
  customerId: string,
  limit: number,
): Promise<{ count: number; invoices: ShownInvoice[] }> {
  const { rows } = await sql<Row & { count: number }>`
    select ${columns}, count(*) over () as count
      from (select distinct invoice_id from events
             where organization_id = ${tenant.organizationId} and customer_id = ${customerId}
               and invoice_id is not null offset 0) as named
      join invoices i on i.organization_id = ${tenant.organizationId} and i.id = named.invoice_id
     order by i.created_at desc, i.id limit ${limit}`.execute(tenant.sql)
  return { count: Number(rows[0]?.count ?? 0), invoices: rows.map(({ count: _count, ...row }) => shown(row)) }
}

type FoundInvoice = ShownInvoice & { eventCount: number; mrrChangeCents: number }

/** The invoice with the number of events that name it, and their change of MRR in minor units. */
export async function findInvoice(tenant: Tenant, id: string): Promise<FoundInvoice | undefined> {
  const { rows } = await sql<Row & Omit<FoundInvoice, keyof ShownInvoice>>`
    select ${columns}, made."eventCount", made."mrrChangeCents"
      from invoices i
     cross join lateral (
       select count(*) as "eventCount", coalesce(sum(e.mrr_change_cents), 0)::bigint as "mrrChangeCents"
         from events e
        where e.organization_id = i.organization_id and e.customer_id = i.customer_id and e.invoice_id = i.id) as made
     where i.organization_id = ${tenant.organizationId} and i.id = ${id}`.execute(tenant.sql)
  return rows.map(shown)[0]
}

function shown<R extends Row>({
  lines,
  discountCents,
  ...invoice
}: R): Omit<R, 'lines' | 'discountCents'> & Pick<ShownInvoice, 'amountCents'> {
  return { ...invoice, amountCents: amountOf(lines.map(lineOf), discountCents) }
}

function amountOf(lines: InvoiceLine[], discountCents: number): number | null {
  if (lines.some(({ standsForAll }) => standsForAll)) return null
  return lines.reduce((sum, { amountCents }) => sum + amountCents, 0) - discountCents
}
