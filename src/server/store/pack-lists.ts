import { sql } from 'kysely'
import type { Tenant } from './database.ts'

/** So many lines to a customer are still read fast enough. */
const linesPerCustomerMax = 1.5
/** Rows of fewer bytes on the average, of which there are more than a few, are better packed into longer ones. */
const looseBelow = { bytesPerRow: 1_000, rows: 50 }

/**
 * Adds up what the counts of lists have gathered, and packs the texts of searches anew where they hold much that is not
 * so any more. What lists show is the same before and after; they are read faster.
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
  await repackTexts(tenant)
}

async function repackTexts(tenant: Tenant): Promise<void> {
  const { rows } = await sql<{ isDue: boolean }>`
    select lines > ${linesPerCustomerMax}::numeric * (select count(*) from customers
                                              where organization_id = ${tenant.organizationId})
           or (kept > ${looseBelow.rows} and bytes < ${looseBelow.bytesPerRow} * kept) as "isDue"
      from (select coalesce(sum(cardinality(ids)), 0) as lines, count(*) as kept,
                   coalesce(sum(octet_length(texts) + pg_column_size(ids)), 0) as bytes
              from customer_texts where organization_id = ${tenant.organizationId}) as texts`.execute(
    tenant.sql,
  )
  if (rows[0]?.isDue) await sql`select repack_customer_texts(${tenant.organizationId})`.execute(tenant.sql)
}
