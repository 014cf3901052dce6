import { type QueryResult, type RawBuilder, sql } from 'kysely'
import type { CrmKind, ToldValues } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'
import { storableJson } from '../postgres/json-rows.ts'
import { readAlongIndexes, withoutNestedLoops } from '../postgres/planner.ts'
import { countListed } from '../totals/list-totals.ts'
import { areUnsentKept, type PushScope, readDue } from './push-due.ts'
import { isCurrent } from './record-standing.ts'
import { absentHash, isListed, refusedTies, sourceTables } from './refusals.ts'
import { findUntied } from './untied.ts'

/** The outcome of one record in a push. */
export type LinkOutcome = {
  hash: string
  /** pending: the outcome is unknown, so it is retried. held: refused for the whole account, but still due. */
  state: 'confirmed' | 'failed' | 'pending' | 'held'
  recordId: string | null
  /** When the CRM changed the record; null if it did not say. */
  recordUpdatedAt: string | null
  error: string | null
  /** What is kept of the values that were written, if they were confirmed; null for events. */
  told: ToldValues | null
} & ReadRecord

/** A record as a push has read it. What changed since then stays to be written. */
export type ReadRecord = { sourceId: string; outdated: number }

/**
 * Saves outcomes. If a record has a new id in the CRM, deletes the associations under the old one, so that they are
 * created again. A deleted record may come back under its own id.
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
       run_id, confirmed_at, record_updated_at, told, outdated, subscription_id)
    select ${tenant.organizationId}, ${place.portalId}, ${place.kind}, "sourceId", "recordId",
           case state when 'held' then 'failed' else state end,
           case state when 'confirmed' then hash end, case state when 'failed' then hash end, error, 1,
           ${place.runId}, case state when 'confirmed' then ${at}::timestamptz end, "recordUpdatedAt", told, outdated,
           (select e.subscription_id from events e
             where ${place.kind} = 'event' and e.organization_id = ${tenant.organizationId} and e.id = "sourceId")
      from jsonb_to_recordset(${given}::jsonb) as given (
        "sourceId" text, hash text, state text, "recordId" text, error text, "recordUpdatedAt" timestamptz, told jsonb,
        outdated integer)
     order by "sourceId"
    on conflict (organization_id, portal_id, kind, source_id) do update set
      record_id = coalesce(excluded.record_id, known.record_id),
      former_record_id = case when excluded.record_id is null then known.former_record_id end, state = excluded.state,
      confirmed_hash = coalesce(excluded.confirmed_hash, known.confirmed_hash),
      refused_hash = excluded.refused_hash, error = excluded.error, attempts = known.attempts + 1,
      run_id = excluded.run_id, confirmed_at = coalesce(excluded.confirmed_at, known.confirmed_at),
      record_updated_at = coalesce(excluded.record_updated_at, known.record_updated_at),
      outdated = case when excluded.confirmed_hash is not null and known.outdated = excluded.outdated then 0
                      else known.outdated end,
      told = coalesce(excluded.told, known.told),
      subscription_id = coalesce(excluded.subscription_id, known.subscription_id),
      mends = case when excluded.confirmed_hash = known.confirmed_hash then known.mends else 0 end`.execute(
    tenant.sql,
  )
}

async function forgetMoved(
  tenant: Tenant,
  { portalId, kind }: { portalId: string; kind: CrmKind },
  given: string,
): Promise<void> {
  const { rows } = await sql<{ sourceId: string; recordId: string | null; isBack: boolean }>`
    select l.source_id as "sourceId", l.record_id as "recordId",
           coalesce(l.former_record_id = given."recordId", false) as "isBack"
      from jsonb_to_recordset(${given}::jsonb) as given ("sourceId" text, "recordId" text)
      join crm_links l on l.organization_id = ${tenant.organizationId} and l.portal_id = ${portalId}
                      and l.kind = ${kind} and l.source_id = given."sourceId"
     where given."recordId" is not null and l.record_id is distinct from given."recordId"`.execute(tenant.sql)
  const idsOf = (isBack: boolean) =>
    rows.filter((row) => row.isBack === isBack).map(({ sourceId }) => sourceId)
  await doubtAssociations(tenant, portalId, kind, idsOf(true))
  const sourceIds = idsOf(false)
  if (sourceIds.length === 0) return
  const ofPortal = tenant.sql
    .deleteFrom('crm_associations')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
  const recordIds = rows.flatMap(({ recordId }) => recordId ?? [])
  await ofPortal.where('kind', '=', kind).where('source_id', 'in', sourceIds).execute()
  if (recordIds.length === 0) return
  await ofPortal.where('target_kind', '=', kind).where('target_record_id', 'in', recordIds).execute()
}

/**
 * Schedules the associations of deleted records that came back under their own ids, with what they were associated with
 * before.
 */
async function doubtAssociations(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  sourceIds: readonly string[],
): Promise<void> {
  if (sourceIds.length === 0) return
  await tenant.sql
    .updateTable('crm_associations')
    .set({ state: 'pending' })
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .where('source_id', 'in', [...sourceIds])
    .execute()
}

/** Marks records as confirmed whose row was saved again without a change for the CRM. */
export async function confirmAgain(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  records: readonly ReadRecord[],
  at: Date,
): Promise<void> {
  if (records.length === 0) return
  await sql`
    update crm_links l
       set confirmed_at = ${at}, outdated = case when l.outdated = given.outdated then 0 else l.outdated end
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as given ("sourceId" text, outdated integer)
     where l.organization_id = ${tenant.organizationId} and l.portal_id = ${portalId} and l.kind = ${kind}
       and l.source_id = given."sourceId"`.execute(tenant.sql)
}

/** How many records a run has settled so far, in all its attempts. */
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

type Synced = { subscriptions: number; events: number }

/** How many listed rows stand in the CRM as they are here. */
export async function countSynced(tenant: Tenant, portalId: string): Promise<Synced> {
  const { rows } = (await areUnsentKept(tenant, portalId))
    ? await countBesideUnsent(tenant, portalId)
    : await withoutNestedLoops(tenant, () => countCurrent(tenant, portalId).execute(tenant.sql))
  return rows[0] ?? { subscriptions: 0, events: 0 }
}

/** All rows but those that are kept as unsent, and those whose company or contact is yet to follow, or was refused. */
async function countBesideUnsent(tenant: Tenant, portalId: string): Promise<QueryResult<Synced>> {
  const due = await readDue(tenant)
  const untied = {
    subscription: await findUntied(tenant, portalId, 'subscription', due),
    event: await findUntied(tenant, portalId, 'event', due),
  }
  await readAlongIndexes(tenant)
  const unsent = (kind: CrmKind) =>
    sql`from crm_unsent u where u.organization_id = ${tenant.organizationId} and u.kind = ${kind}`
  const besides = (kind: CrmKind) => sql`
    select count(*) from (
      select unnest(${untied[kind]}::text[]) as source_id
       union select source_id from ${refusedTies(tenant, sql`${portalId}`, kind)} refused) tie
     where not exists (select ${unsent(kind)} and u.source_id = tie.source_id) and ${isListed(tenant, kind, sql`tie`)}`
  return sql<Synced>`
    select (${countListed(tenant, 'subscriptions')}) - (${besides('subscription')})
             - (select count(*) ${unsent('subscription')} and ${isListed(tenant, 'subscription', sql`u`)}) as subscriptions,
           (${countListed(tenant, 'events')}) - (${besides('event')}) - (select count(*) ${unsent('event')}) as events`.execute(
    tenant.sql,
  )
}

/** Compares all rows with their records. */
function countCurrent(tenant: Tenant, portalId: string): RawBuilder<Synced> {
  const current = (kind: CrmKind) => sql`
    select count(*) from crm_links l join ${sources(kind)} on x.organization_id = l.organization_id and x.id = l.source_id
     where l.organization_id = ${tenant.organizationId} and l.portal_id = ${portalId} and l.kind = ${kind}
       and ${isCurrent(sql`l`, sql`x`)}
       and l.source_id not in (select source_id from ${refusedTies(tenant, sql`${portalId}`, kind)} refused)`
  return sql<Synced>`
    select (${current('subscription')} and x.quantity is not null) as subscriptions, (${current('event')}) as events`
}

const sources = (kind: CrmKind) => sql`${sql.table(sourceTables[kind])} x`

/** When the portal last confirmed a record. */
export async function findLastConfirmed(tenant: Tenant, portalId: string): Promise<Date | null> {
  const last = await tenant.sql
    .selectFrom('crm_links')
    .select((e) => e.fn.max('confirmed_at').as('at'))
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .executeTakeFirst()
  return last?.at ?? null
}

/**
 * Event records whose event a rebuild removed while its subscription remains; without the subscription we cannot
 * know. Those that the CRM refused to delete are included only if a person asked for them.
 */
export async function listVanishedEvents(
  tenant: Tenant,
  portalId: string,
  page: { afterSourceId: string; limit: number; retriesFailed: boolean; scope: PushScope },
): Promise<{ sourceId: string; subscriptionId: string; recordId: string }[]> {
  const { scope } = page
  const isMeant = scope === 'all' ? sql`true` : sql`l.source_id = any(${[...scope.goneEventIds]}::text[])`
  const query = sql<{ sourceId: string; subscriptionId: string; recordId: string }>`
    select l.source_id as "sourceId", l.subscription_id as "subscriptionId", l.record_id as "recordId" from crm_links l
     where l.organization_id = ${tenant.organizationId} and l.portal_id = ${portalId} and l.kind = 'event'
       and l.record_id is not null and l.source_id > ${page.afterSourceId} and ${isMeant}
       and (${page.retriesFailed} or l.refused_hash is distinct from ${absentHash})
       and not exists (select from events e where e.organization_id = ${tenant.organizationId} and e.id = l.source_id)
       and l.subscription_id in (select s.id from subscriptions s where s.organization_id = ${tenant.organizationId})
     order by l.source_id limit ${page.limit}`
  const { rows } = await (scope === 'all'
    ? withoutNestedLoops(tenant, () => query.execute(tenant.sql))
    : query.execute(tenant.sql))
  return rows
}

/**
 * Records that we deleted CRM records ourselves. The links stay, so that we recognize a record that somebody
 * restores.
 */
export async function retireLinks(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  sourceIds: readonly string[],
): Promise<void> {
  if (sourceIds.length === 0) return
  await tenant.sql
    .updateTable('crm_links')
    .set((e) => ({
      state: 'removed',
      former_record_id: e.ref('record_id'),
      record_id: null,
      confirmed_hash: null,
      refused_hash: null,
      error: null,
    }))
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .where('source_id', 'in', [...sourceIds])
    .execute()
}

/** Parks records that the CRM refuses to delete, with its reason. */
export async function parkUnremoved(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  rows: readonly { sourceId: string; error: string }[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update crm_links as l set state = 'failed', refused_hash = ${absentHash}, error = given.error
      from jsonb_to_recordset(${storableJson(rows)}::jsonb) as given ("sourceId" text, error text)
     where l.organization_id = ${tenant.organizationId} and l.portal_id = ${portalId} and l.kind = ${kind}
       and l.source_id = given."sourceId"`.execute(tenant.sql)
}
