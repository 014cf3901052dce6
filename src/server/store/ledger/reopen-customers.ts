import { sql } from 'kysely'
import { deleteObservations } from '../payments/observations.ts'
import type { Tenant } from '../postgres/database.ts'
import { withoutNestedLoops } from '../postgres/planner.ts'

/**
 * Reopens customers that were rebuilt before an older object of theirs arrived (providers promise no order),
 * and deletes their premature observations. Only a first import needs this.
 */
export async function reopenCustomersWithOlderObjects(tenant: Tenant): Promise<void> {
  const { organizationId } = tenant
  const mark = () =>
    sql<{ id: string }>`
    with early as (
      select c.id from invoices i
        join customers c on c.organization_id = i.organization_id and c.id = i.customer_id
       where i.organization_id = ${organizationId} and i.created_at < c.created_at
       union
      select c.id from subscriptions s
        join customers c on c.organization_id = s.organization_id and c.id = s.customer_id
       where s.organization_id = ${organizationId} and s.created_at < c.created_at
       union
      select c.id from invoice_payments p
        join invoices i on i.organization_id = p.organization_id and i.id = p.invoice_id
        join customers c on c.organization_id = i.organization_id and c.id = i.customer_id
       where p.organization_id = ${organizationId} and p.created_at < c.created_at)
    update customers set is_rebuild_due = true from early
     where customers.organization_id = ${organizationId} and customers.id = early.id
    returning customers.id`.execute(tenant.sql)
  await sql`select set_config('statement_timeout', '0', true)`.execute(tenant.sql)
  const { rows } = await withoutNestedLoops(tenant, mark)
  if (rows.length === 0) return
  // A separate statement sees the observations of rebuilds that the first statement waited for.
  await deleteObservations(
    tenant,
    rows.map(({ id }) => id),
  )
}
