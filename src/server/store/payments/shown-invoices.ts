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

export async function findInvoice(tenant: Tenant, id: string): Promise<ShownInvoice | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from invoices i where i.organization_id = ${tenant.organizationId} and i.id = ${id}`.execute(
    tenant.sql,
  )
  return rows.map(shown)[0]
}

function shown({ lines, discountCents, ...invoice }: Row): ShownInvoice {
  return { ...invoice, amountCents: amountOf(lines.map(lineOf), discountCents) }
}

function amountOf(lines: InvoiceLine[], discountCents: number): number | null {
  if (lines.some(({ standsForAll }) => standsForAll)) return null
  return lines.reduce((sum, { amountCents }) => sum + amountCents, 0) - discountCents
}
