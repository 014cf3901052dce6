import { sql } from 'kysely'
import { deriveSnapshots } from '../ledger/snapshots.ts'
import type { Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'
import {
  countRebuildDue,
  currentMrr,
  findOpenRecount,
  noteLedgerCountedBy,
  type RecountRow,
} from './recounts.ts'

/**
 * Ends the recount once no customer is due: compares months, counts changes, and saves the rules and policy
 * of the ledger. Undefined if no recount is open. The caller must hold the policy lock.
 */
export async function endRecount(tenant: Tenant, at: Date): Promise<RecountRow | 'waiting' | undefined> {
  await sql`select set_config('statement_timeout', '0', true)`.execute(tenant.sql)
  const open = await findOpenRecount(tenant)
  if (!open) return undefined
  if ((await countRebuildDue(tenant)) > 0) return 'waiting'
  await deriveSnapshots(tenant, at, at)
  await compareMonths(tenant, open.id, open.started_at)
  await forgetUnchanged(tenant, open.id)
  const { rows } = await sql<RecountRow>`
    update recounts r set
      completed_at = ${at}, mrr_after = ${storableJson(await currentMrr(tenant))}::jsonb,
      month_count = (select count(distinct month) from recount_months c where ${ofRecount(tenant, open.id)}),
      customer_count = (select count(distinct customer_id) from recount_customers c where ${ofRecount(tenant, open.id)}),
      record_count = (select count(*) from recount_records c where ${ofRecount(tenant, open.id)}),
      crm_record_count =
        (select count(*) from recount_records c where ${ofRecount(tenant, open.id)} and is_in_crm)
     where organization_id = ${tenant.organizationId} and id = ${open.id}
    returning *`.execute(tenant.sql)
  await noteLedgerCountedBy(tenant, open)
  return rows[0]
}

const ofRecount = ({ organizationId }: Tenant, id: number) =>
  sql`c.organization_id = ${organizationId} and c.recount_id = ${id}`

/** Months that began after the recount started are not a difference. */
async function compareMonths(tenant: Tenant, id: number, startedAt: Date): Promise<void> {
  await sql`
    insert into recount_months as known
      (organization_id, recount_id, month, currency, mrr_after_cents, subscriptions_after)
    select organization_id, ${id}, month, currency, mrr_cents, active_subscriptions from snapshots
     where organization_id = ${tenant.organizationId}
       and month <= to_char(${startedAt}::timestamptz at time zone 'UTC', 'YYYY-MM')
    on conflict (organization_id, recount_id, month, currency) do update set
      mrr_after_cents = excluded.mrr_after_cents, subscriptions_after = excluded.subscriptions_after`.execute(
    tenant.sql,
  )
}

/** Deletes what did not change, and counts the events that did. */
async function forgetUnchanged(tenant: Tenant, id: number): Promise<void> {
  await sql`
    delete from recount_months c
     where ${ofRecount(tenant, id)} and mrr_before_cents = mrr_after_cents
       and subscriptions_before = subscriptions_after`.execute(tenant.sql)
  await sql`
    delete from recount_records c where ${ofRecount(tenant, id)} and before is not distinct from after`.execute(
    tenant.sql,
  )
  await sql`
    update recount_customers c set event_count = counted.events
      from (select customer_id, currency, count(*) as events from recount_records c
             where ${ofRecount(tenant, id)} and kind = 'event' group by customer_id, currency) as counted
     where ${ofRecount(tenant, id)} and c.customer_id = counted.customer_id and c.currency = counted.currency`.execute(
    tenant.sql,
  )
  await sql`
    delete from recount_customers c
     where ${ofRecount(tenant, id)} and mrr_before_cents = mrr_after_cents and event_count = 0`.execute(
    tenant.sql,
  )
}
