import { sql } from 'kysely'
import { isFirstImport } from '../payments/payment-account.ts'
import type { Tenant } from '../postgres/database.ts'

/**
 * What a run changed: rows of ours for an import, records in the CRM and their links for a push. Of customers with
 * anything that differs, if only an invoice, a run notes whether there were any.
 */
export type RunChanges = { customers?: number; subscriptions?: number; events?: number; links?: number }

/**
 * Adds to what a run has changed. Call it in the transaction that writes the changes, at its end: other batches of the
 * run wait for this row.
 */
export async function addRunChanges(tenant: Tenant, runId: string, changes: RunChanges): Promise<void> {
  const { customers = 0, subscriptions = 0, events = 0, links = 0 } = changes
  if (customers + subscriptions + events + links === 0) return
  const options = customers === 0 ? sql`options` : sql`options || '{"changedCustomers": true}'`
  await sql`
    update runs set changed_subscriptions = changed_subscriptions + ${subscriptions}, options = ${options},
                    changed_events = changed_events + ${events}, changed_links = changed_links + ${links}
     where organization_id = ${tenant.organizationId} and id = ${runId}`.execute(tenant.sql)
}

/**
 * Counts the subscriptions that have changed since an import began, whether Stripe said so or the rules: all of them
 * in a first import. Reads no more index entries than there are.
 */
export async function countChangedSubscriptions(tenant: Tenant, runId: string): Promise<void> {
  await sql`
    update runs set changed_subscriptions = (
      select count(*) from subscriptions s
       where s.organization_id = ${tenant.organizationId} and s.quantity is not null
         and s.updated_at >= case when ${isFirstImport(tenant)} then '-infinity' else runs.created_at end)
     where organization_id = ${tenant.organizationId} and id = ${runId}`.execute(tenant.sql)
}

/**
 * Marks a completed import or push that changed nothing and had no error, so that Sync History can leave it out; not a
 * recount, since somebody wants to know of it, nor an import that a listed push names.
 */
export async function markUnchanged(tenant: Tenant, runId: string): Promise<void> {
  await sql`
    update runs set is_unchanged = true
     where organization_id = ${tenant.organizationId} and id = ${runId} and status = 'completed'
       and kind <> 'recount' and failed_records = 0
       and changed_subscriptions + changed_events + changed_links = 0 and not options ? 'changedCustomers'
       and not exists (select from run_errors e
                        where e.organization_id = runs.organization_id and e.run_id = runs.id)`.execute(
    tenant.sql,
  )
  await listFollowed(tenant, runId)
}

/** The import that a listed run follows is listed too. */
export async function listFollowed(tenant: Tenant, runId: string): Promise<void> {
  await sql`
    update runs set is_unchanged = false
     where organization_id = ${tenant.organizationId} and is_unchanged
       and id = (select follows_run_id from runs
                  where organization_id = ${tenant.organizationId} and id = ${runId} and not is_unchanged)`.execute(
    tenant.sql,
  )
}
