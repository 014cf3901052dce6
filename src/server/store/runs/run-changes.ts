import { type RawBuilder, sql } from 'kysely'
import {
  type ChangedRecord,
  type CrmKind,
  type CrmTarget,
  type LinkChange,
  runRecordsMax,
} from '#domain/crm-record.ts'
import { isFirstImport } from '../payments/payment-account.ts'
import type { Tenant } from '../postgres/database.ts'
import { storableJsonOrNull } from '../postgres/json-rows.ts'
import { linkKey } from './link-keys.ts'
import { isWeighty, rowNow } from './record-order.ts'

/**
 * What a run changed: rows of ours for an import, records in the CRM and their links for a push. Of customers with
 * anything that differs, if only an invoice, a run notes whether there were any.
 */
export type RunChanges = {
  customers?: number
  subscriptions?: number
  events?: number
  links?: number
  /** Companies and contacts that a push created. */
  companies?: number
  contacts?: number
}

/**
 * Adds to what a run has changed. Call it in the transaction that writes the changes, at its end: other batches of the
 * run wait for this row. Give many records newest first: only the first ones are kept.
 */
export async function addRunChanges(
  tenant: Tenant,
  runId: string,
  changes: RunChanges,
  { kind, records }: { kind: CrmKind; records: readonly ChangedRecord[] } = { kind: 'event', records: [] },
): Promise<void> {
  const { customers = 0, subscriptions = 0, events = 0, links = 0, companies = 0, contacts = 0 } = changes
  if (customers + subscriptions + events + links + companies + contacts === 0) return
  const options = customers === 0 ? sql`options` : sql`options || '{"changedCustomers": true}'`
  await sql`
    update runs set changed_subscriptions = changed_subscriptions + ${subscriptions}, options = ${options},
                    changed_events = changed_events + ${events}, changed_links = changed_links + ${links},
                    created_companies = coalesce(created_companies, 0) + ${companies},
                    created_contacts = coalesce(created_contacts, 0) + ${contacts}
     where organization_id = ${tenant.organizationId} and id = ${runId}`.execute(tenant.sql)
  if (records.length > 0) await keepRecords(tenant, runId, kind, records.slice(0, runRecordsMax))
}

/**
 * Keeps those of the run's changed records that stand first in its list. This is a statement of its own: it sees what the
 * batches before kept, since each waits at the row of the run.
 */
async function keepRecords(
  tenant: Tenant,
  runId: string,
  kind: CrmKind,
  records: readonly ChangedRecord[],
): Promise<void> {
  const ofTenant = sql`organization_id = ${tenant.organizationId}`
  const told = (at: 'before' | 'after') =>
    sql`${records.map((record) => storableJsonOrNull(record.told?.[at]))}::text[]`
  const texts = (of: (record: ChangedRecord) => string) => sql`${records.map(of)}::text[]`
  await sql`
    with given as (
      select id, subscription_id, change, told_before::jsonb, told_after::jsonb
        from unnest(${texts(({ id }) => id)}, ${texts((one) => one.subscriptionId)}, ${texts((one) => one.change)},
                    ${told('before')}, ${told('after')}) as row (id, subscription_id, change, told_before, told_after)),
    changed as (
      select source_id as id, told_before, told_after from run_records
       where ${ofTenant} and run_id = ${runId} and kind = ${kind} and change not in ('linked', 'unlinked')
       union all
      select id, told_before, told_after from given),
    first as (
      select one.id from (select id, bool_or(${isWeighty(sql`changed`)}) as weighty from changed group by id) as one
        left join lateral ${rowNow(tenant, kind, sql`one.id`)} x on true
       order by weighty desc, x.at desc nulls last, one.id
       limit ${runRecordsMax}),
    passed as (
      delete from run_records
       where ${ofTenant} and run_id = ${runId} and kind = ${kind} and change not in ('linked', 'unlinked')
         and source_id not in (select id from first))
    insert into run_records as known (organization_id, run_id, kind, source_id, subscription_id, change, told_before,
                                      told_after)
    select ${tenant.organizationId}, ${runId}, ${kind}, given.id, given.subscription_id, given.change,
           given.told_before, given.told_after
      from given where given.id in (select id from first)
    on conflict (organization_id, run_id, kind, source_id) do update set
      told_before = case when known.change in ('linked', 'unlinked') then excluded.told_before else known.told_before end,
      told_after = excluded.told_after,
      change = case when excluded.change = 'removed' or known.change in ('linked', 'unlinked') then excluded.change
                    when known.change = 'removed' then 'changed' else known.change end`.execute(tenant.sql)
}

/** Associations that a push wrote or removed, by the records that they begin at. */
type ChangedLinks = {
  portalId: string
  kind: AssociationKind
  change: LinkChange
  rows: readonly { sourceId: string; toRecordId: string }[]
}
type AssociationKind = { kind: CrmKind; target: CrmTarget }

/**
 * Adds associations to what a push has changed, as `addRunChanges` does. It keeps them with their records: with those that
 * are kept, and with others as far as the changed ones leave room.
 */
export async function addLinkChanges(
  tenant: Tenant,
  runId: string,
  { portalId, kind: { kind, target }, change, rows }: ChangedLinks,
): Promise<void> {
  if (rows.length === 0) return
  await addRunChanges(tenant, runId, { links: rows.length })
  const ofTenant = sql`organization_id = ${tenant.organizationId}`
  const ofKind = sql`${ofTenant} and run_id = ${runId} and kind = ${kind}`
  const changed = sql.ref(kind === 'event' ? 'changed_events' : 'changed_subscriptions')
  const kept = sql`(select count(*) from run_records where ${ofKind})`
  const keys = rows.map(({ toRecordId }) => linkKey({ portalId, target, recordId: toRecordId }))
  const given = sql`
    (select id, jsonb_object_agg(key, ${change}::text) as links
       from unnest(${rows.map(({ sourceId }) => sourceId)}::text[], ${keys}::text[]) as row (id, key)
      group by id) as given`
  // Other batches wait at the row of the run, so that these statements see what they kept.
  await sql`
    update run_records set links = coalesce(run_records.links, '{}') || given.links,
                           change = case when change = 'unlinked' then ${change} else change end
      from ${given} where ${ofKind} and source_id = given.id`.execute(tenant.sql)
  await sql`
    insert into run_records (organization_id, run_id, kind, source_id, subscription_id, change, links)
    select ${tenant.organizationId}, ${runId}, ${kind}, given.id, x.subscription_id, ${change}, given.links
      from (select * from ${given}
             where not exists (select from run_records where ${ofKind} and source_id = given.id)
             order by id
             limit (select greatest(0, ${runRecordsMax} - greatest(${changed}, ${kept}))
                      from runs where ${ofTenant} and id = ${runId})) as given
     cross join ${subscriptionOf(tenant, kind)}`.execute(tenant.sql)
}

/** The subscription of the record `given`. Each is looked up by its key. */
function subscriptionOf(tenant: Tenant, kind: CrmKind): RawBuilder<unknown> {
  if (kind === 'subscription') return sql`lateral (select given.id as subscription_id) as x`
  return sql`lateral (select e.subscription_id from events e
                       where e.organization_id = ${tenant.organizationId} and e.id = given.id limit 1) as x`
}

/**
 * Counts the subscriptions that have changed since an import began, whether Stripe said so or the rules: all of them
 * in a first import. Keeps the newest of them. Reads no more index entries than there are.
 */
export async function countChangedSubscriptions(tenant: Tenant, runId: string): Promise<void> {
  const changed = (run: RawBuilder<unknown>) => sql`
    from subscriptions s
   where s.organization_id = ${tenant.organizationId} and s.quantity is not null
     and s.updated_at >= case when ${isFirstImport(tenant)} then '-infinity' else ${run} end`
  await sql`
    update runs set changed_subscriptions = (select count(*) ${changed(sql`runs.created_at`)})
     where organization_id = ${tenant.organizationId} and id = ${runId}`.execute(tenant.sql)
  const ofTenant = sql`organization_id = ${tenant.organizationId}`
  // One that came to be since the import before was not there yet.
  await sql`
    insert into run_records (organization_id, run_id, kind, source_id, subscription_id, change)
    select ${tenant.organizationId}, ${runId}, 'subscription', s.id, s.id,
           case when s.created_at >= (
             select coalesce(max(created_at), '-infinity') from runs
              where ${ofTenant} and kind = 'import' and status = 'completed' and not ${isFirstImport(tenant)})
           then 'added' else 'changed' end
      ${changed(sql`(select created_at from runs where ${ofTenant} and id = ${runId})`)}
     order by s.updated_at desc, s.id limit ${runRecordsMax}
    on conflict do nothing`.execute(tenant.sql)
}

/**
 * Marks an import or push that completed, or was displaced, without a change or an error. Sync History can leave it out; not a
 * recount, since somebody wants to know of it, nor an import that a listed push names.
 */
export async function markUnchanged(tenant: Tenant, runId: string): Promise<void> {
  await sql`
    update runs set is_unchanged = true
     where organization_id = ${tenant.organizationId} and id = ${runId}
       and (status = 'completed' or (status = 'cancelled' and options ? 'displaced'))
       and kind <> 'recount' and failed_records = 0
       and changed_subscriptions + changed_events + changed_links = 0
       and coalesce(created_companies, 0) + coalesce(created_contacts, 0) = 0 and not options ? 'changedCustomers'
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
