import { sql } from 'kysely'
import type { CrmKind } from '#domain/crm-record.ts'
import type { Tenant } from './database.ts'
import { storableJson } from './json-rows.ts'
import { withoutNestedLoops } from './without-nested-loops.ts'

/** What became of one record in a push. */
export type LinkOutcome = {
  sourceId: string
  hash: string
  /** pending: the CRM did not say, so it is tried again. */
  state: 'confirmed' | 'failed' | 'pending'
  recordId: string | null
  error: string | null
}

/**
 * Stores outcomes. Of a record that got another id in the CRM, the associations stored under the old one are forgotten,
 * so that they are made anew.
 */
export async function saveLinkOutcomes(
  tenant: Tenant,
  place: { portalId: string; kind: CrmKind; runId: string },
  outcomes: readonly LinkOutcome[],
  at: Date,
): Promise<void> {
  if (outcomes.length === 0) return
  const given = storableJson(outcomes)
  await forgetMoved(tenant, place, given)
  await sql`
    insert into crm_links as known
      (organization_id, portal_id, kind, source_id, record_id, state, confirmed_hash, refused_hash, error, attempts,
       run_id, confirmed_at)
    select ${tenant.organizationId}, ${place.portalId}, ${place.kind}, "sourceId", "recordId", state,
           case state when 'confirmed' then hash end, case state when 'failed' then hash end, error, 1,
           ${place.runId}, case state when 'confirmed' then ${at}::timestamptz end
      from jsonb_to_recordset(${given}::jsonb) as given (
        "sourceId" text, hash text, state text, "recordId" text, error text)
     order by "sourceId"
    on conflict (organization_id, portal_id, kind, source_id) do update set
      record_id = coalesce(excluded.record_id, known.record_id), state = excluded.state,
      confirmed_hash = coalesce(excluded.confirmed_hash, known.confirmed_hash),
      refused_hash = excluded.refused_hash, error = excluded.error, attempts = known.attempts + 1,
      run_id = excluded.run_id, confirmed_at = coalesce(excluded.confirmed_at, known.confirmed_at)`.execute(
    tenant.sql,
  )
}

async function forgetMoved(
  tenant: Tenant,
  { portalId, kind }: { portalId: string; kind: CrmKind },
  given: string,
): Promise<void> {
  const { rows } = await sql<{ sourceId: string; recordId: string }>`
    select l.source_id as "sourceId", l.record_id as "recordId"
      from jsonb_to_recordset(${given}::jsonb) as given ("sourceId" text, "recordId" text)
      join crm_links l on l.organization_id = ${tenant.organizationId} and l.portal_id = ${portalId}
                      and l.kind = ${kind} and l.source_id = given."sourceId"
     where l.record_id <> given."recordId"`.execute(tenant.sql)
  if (rows.length === 0) return
  const ofPortal = tenant.sql
    .deleteFrom('crm_associations')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
  const sourceIds = rows.map(({ sourceId }) => sourceId)
  const recordIds = rows.map(({ recordId }) => recordId)
  await ofPortal.where('kind', '=', kind).where('source_id', 'in', sourceIds).execute()
  await ofPortal.where('target_kind', '=', kind).where('target_record_id', 'in', recordIds).execute()
}

/** Records that turned out to be in the CRM as they are here, although our row was written again since. */
export async function confirmAgain(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  sourceIds: readonly string[],
  at: Date,
): Promise<void> {
  if (sourceIds.length === 0) return
  await tenant.sql
    .updateTable('crm_links')
    .set({ confirmed_at: at })
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .where('source_id', 'in', [...sourceIds])
    .execute()
}

/** How many records a run has settled so far, whichever of its attempts did it. */
export async function countRunOutcomes(
  tenant: Tenant,
  portalId: string,
  runId: string,
): Promise<{ settled: number; failed: number }> {
  const { rows } = await sql<{ settled: number; failed: number }>`
    select count(*) filter (where state in ('confirmed', 'failed')) as settled,
           count(*) filter (where state = 'failed') as failed
      from crm_links
     where organization_id = ${tenant.organizationId} and portal_id = ${portalId} and run_id = ${runId}`.execute(
    tenant.sql,
  )
  return rows[0] ?? { settled: 0, failed: 0 }
}

/** Records that stand in the CRM as they are here, those it refused, and when the last one was confirmed. */
export async function countSynced(
  tenant: Tenant,
  portalId: string,
): Promise<{ subscriptions: number; events: number; errors: number; lastSyncedAt: Date | null }> {
  const stands = sql`l.state = 'confirmed' and x.updated_at <= l.confirmed_at`
  const query = sql<{
    subscriptions: number
    events: number
    errors: number
    lastSyncedAt: Date | null
  }>`
    select count(*) filter (where l.kind = 'subscription' and ${stands}) as subscriptions,
           count(*) filter (where l.kind = 'event' and ${stands}) as events,
           count(*) filter (where l.state = 'failed') as errors,
           max(l.confirmed_at) as "lastSyncedAt"
      from crm_links l
      join (select 'subscription' as kind, id, updated_at from subscriptions
             where organization_id = ${tenant.organizationId}
            union all
            select 'event', id, updated_at from events
             where organization_id = ${tenant.organizationId}) as x
        on x.kind = l.kind and x.id = l.source_id
     where l.organization_id = ${tenant.organizationId} and l.portal_id = ${portalId}`
  const { rows } = await withoutNestedLoops(tenant, () => query.execute(tenant.sql))
  return rows[0] ?? { subscriptions: 0, events: 0, errors: 0, lastSyncedAt: null }
}

/**
 * Event records in the CRM, after a source id, whose event is no longer in the ledger although its subscription is: a
 * rebuild took it back. Where the subscription is gone too nothing is concluded.
 */
export async function listVanishedEvents(
  tenant: Tenant,
  portalId: string,
  page: { afterSourceId: string; limit: number },
): Promise<{ sourceId: string; recordId: string }[]> {
  const query = sql<{ sourceId: string; recordId: string }>`
    select l.source_id as "sourceId", l.record_id as "recordId" from crm_links l
     where l.organization_id = ${tenant.organizationId} and l.portal_id = ${portalId} and l.kind = 'event'
       and l.record_id is not null and l.source_id > ${page.afterSourceId}
       and not exists (select from events e where e.organization_id = ${tenant.organizationId} and e.id = l.source_id)
       and l.source_id in (
         select a.source_id from crm_associations a
           join crm_links t on t.organization_id = ${tenant.organizationId} and t.portal_id = ${portalId}
                           and t.kind = 'subscription' and t.record_id = a.target_record_id
           join subscriptions s on s.organization_id = ${tenant.organizationId} and s.id = t.source_id
          where a.organization_id = ${tenant.organizationId} and a.portal_id = ${portalId} and a.kind = 'event'
            and a.target_kind = 'subscription')
     order by l.source_id limit ${page.limit}`
  const { rows } = await withoutNestedLoops(tenant, () => query.execute(tenant.sql))
  return rows
}

/** Forgets links, with the associations of their records. */
export async function deleteLinks(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  sourceIds: readonly string[],
): Promise<void> {
  for (const table of ['crm_associations', 'crm_links'] as const) {
    await tenant.sql
      .deleteFrom(table)
      .where('organization_id', '=', tenant.organizationId)
      .where('portal_id', '=', portalId)
      .where('kind', '=', kind)
      .where('source_id', 'in', [...sourceIds])
      .execute()
  }
}
