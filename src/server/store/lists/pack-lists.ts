// No list is counted or summed while somebody waits. Triggers add rows of differences, which lock nothing, and this folds
// them at the end of a run. Row-level security keeps LIKE out of index searches, so texts of customers are packed together.

import { sql } from 'kysely'
import { boundDue } from '../crm/push-due.ts'
import type { Tenant } from '../postgres/database.ts'
import { packCustomerTexts } from './customer-texts.ts'

/**
 * Sums up the counts of lists, and packs search texts again where many are outdated. Lists show the same afterwards,
 * but read faster.
 */
export async function packLists(tenant: Tenant): Promise<void> {
  const { organizationId } = tenant
  await sql`
    with gone as (delete from event_counts where organization_id = ${organizationId} returning *)
    insert into event_counts (organization_id, mrr_status, difference)
    select organization_id, mrr_status, sum(difference) from gone
     group by organization_id, mrr_status having sum(difference) <> 0`.execute(tenant.sql)
  await sql`
    with gone as (delete from match_counts where organization_id = ${organizationId} returning *)
    insert into match_counts (organization_id, portal_id, state, difference)
    select organization_id, portal_id, state, sum(difference) from gone
     group by organization_id, portal_id, state having sum(difference) <> 0`.execute(tenant.sql)
  await sql`
    with gone as (delete from subscription_totals where organization_id = ${organizationId} returning *)
    insert into subscription_totals (organization_id, status, currency, subscriptions, earning, mrr_cents)
    select organization_id, status, currency, sum(subscriptions), sum(earning), sum(mrr_cents) from gone
     group by organization_id, status, currency
    having sum(subscriptions) <> 0 or sum(earning) <> 0 or sum(mrr_cents) <> 0`.execute(tenant.sql)
  await sql`
    with gone as (delete from attached_totals where organization_id = ${organizationId} returning *)
    insert into attached_totals (organization_id, currency, mrr_cents)
    select organization_id, currency, sum(mrr_cents) from gone
     group by organization_id, currency having sum(mrr_cents) <> 0`.execute(tenant.sql)
  await packCustomerTexts(tenant)
  await boundDue(tenant)
}
