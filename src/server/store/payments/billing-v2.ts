import { sql } from 'kysely'
import type { BillingV2Totals } from '#domain/mrr/bills/billing-v2.ts'
import type { Tenant } from '../postgres/database.ts'

/** Counts issued invoices of Billing v2 by currency, and saves the totals. */
export async function captureBillingV2(tenant: Tenant): Promise<void> {
  const { organizationId } = tenant
  await tenant.sql.deleteFrom('billing_v2_totals').where('organization_id', '=', organizationId).execute()
  await sql`
    insert into billing_v2_totals (organization_id, currency, invoices, amount_cents)
    select organization_id, currency, count(*), sum(billing_v2_cents) from invoices
     where organization_id = ${organizationId} and billing_v2_cents is not null
       and (status is null or status in ('paid', 'open', 'uncollectible'))
     group by organization_id, currency`.execute(tenant.sql)
}

/** The totals of the last count. */
export async function getBillingV2(tenant: Tenant): Promise<BillingV2Totals> {
  const rows = await tenant.sql
    .selectFrom('billing_v2_totals')
    .select(['currency', 'invoices', 'amount_cents as amountCents'])
    .where('organization_id', '=', tenant.organizationId)
    .orderBy('currency')
    .execute()
  return {
    invoices: rows.reduce((sum, { invoices }) => sum + invoices, 0),
    amounts: rows.map(({ currency, amountCents }) => ({ currency, amountCents })),
  }
}
