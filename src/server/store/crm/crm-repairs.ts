// After each correction the next push compares everything, because what it concerns is in no note.

import { sql } from 'kysely'
import type { CrmKind } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'
import { compareAllNext } from './push-due.ts'
import { sourceTables } from './refusals.ts'

/** What we know about one of our records in the portal. */
export type LinkRow = {
  sourceId: string
  recordId: string | null
  /** The id that it had when somebody deleted it. */
  formerRecordId: string | null
  state: 'pending' | 'confirmed' | 'failed' | 'removed'
  confirmedHash: string | null
  refusedHash: string | null
  recordUpdatedAt: Date | null
  mends: number
}

const linkColumns = [
  'source_id as sourceId',
  'record_id as recordId',
  'former_record_id as formerRecordId',
  'state',
  'confirmed_hash as confirmedHash',
  'refused_hash as refusedHash',
  'record_updated_at as recordUpdatedAt',
  'mends',
] as const

function linksOf(tenant: Tenant, portalId: string, kind: CrmKind) {
  return tenant.sql
    .selectFrom('crm_links')
    .select(linkColumns)
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
}

function toLink(row: Omit<LinkRow, 'state'> & { state: string }): LinkRow {
  const { state } = row
  return {
    ...row,
    state: state === 'confirmed' || state === 'failed' || state === 'removed' ? state : 'pending',
  }
}

/** Links by our key. */
export async function listLinksByKey(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  keys: readonly string[],
): Promise<LinkRow[]> {
  if (keys.length === 0) return []
  const rows = await linksOf(tenant, portalId, kind)
    .where('source_id', 'in', [...keys])
    .execute()
  return rows.map(toLink)
}

/** Our keys of these records. */
export async function listKeysOfRecords(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  recordIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (recordIds.length === 0) return new Map()
  const rows = await linksOf(tenant, portalId, kind)
    .where('record_id', 'in', [...recordIds])
    .execute()
  return new Map(rows.map(({ recordId, sourceId }) => [recordId ?? '', sourceId]))
}

/** Links that have a record, in the order of source ids, after one. */
export async function listLinksWithRecord(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  page: { afterSourceId: string; limit: number },
): Promise<{ sourceId: string; recordId: string }[]> {
  const rows = await linksOf(tenant, portalId, kind)
    .where('record_id', 'is not', null)
    .where('source_id', '>', page.afterSourceId)
    .orderBy('source_id')
    .limit(page.limit)
    .execute()
  return rows.map(({ sourceId, recordId }) => ({ sourceId, recordId: recordId ?? '' }))
}

/** Saves when each record was last changed, so that no change is examined twice. */
export async function noteStanding(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  rows: readonly { sourceId: string; updatedAt: string | null }[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update crm_links as l set record_updated_at = given."updatedAt"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("sourceId" text, "updatedAt" timestamptz)
     where l.organization_id = ${tenant.organizationId} and l.portal_id = ${portalId} and l.kind = ${kind}
       and l.source_id = given."sourceId" and l.record_updated_at is distinct from given."updatedAt"`.execute(
    tenant.sql,
  )
}

/** How often a record was written again in a row; 0 if the run that wrote it last ended before `since`. */
export async function countMends(
  tenant: Tenant,
  { portalId, kind, since }: { portalId: string; kind: CrmKind; since: Date },
  sourceId: string,
): Promise<number> {
  const { rows } = await sql<{ mends: number }>`
    select l.mends from crm_links l join runs r on r.organization_id = l.organization_id and r.id = l.run_id
     where l.organization_id = ${tenant.organizationId} and l.portal_id = ${portalId} and l.kind = ${kind}
       and l.source_id = ${sourceId} and coalesce(r.completed_at, r.created_at) >= ${since}`.execute(
    tenant.sql,
  )
  return rows[0]?.mends ?? 0
}

/** Schedules records to be written again because the CRM holds other values than we wrote; `mends` counts this time. */
export async function writeAgain(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  sourceIds: readonly string[],
  mends: number,
): Promise<void> {
  if (sourceIds.length === 0) return
  await compareAllNext(tenant)
  await tenant.sql
    .updateTable('crm_links')
    .set({ state: 'pending', mends })
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .where('source_id', 'in', [...sourceIds])
    .execute()
}

/** Fails a record that differs in the CRM each time it was written, until it changes or a person asks. */
export async function parkReverted(
  tenant: Tenant,
  place: { portalId: string; kind: CrmKind; runId: string },
  sourceId: string,
  error: string,
): Promise<void> {
  await tenant.sql
    .updateTable('crm_links')
    .set((e) => ({
      ...{ state: 'failed', error, run_id: place.runId, mends: 0 },
      refused_hash: e.ref('confirmed_hash'),
    }))
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', place.portalId)
    .where('kind', '=', place.kind)
    .where('source_id', '=', sourceId)
    .execute()
}

/** Takes a failed record as confirmed, because it says in the CRM what it should. */
export async function confirmFailed(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  sourceId: string,
): Promise<void> {
  await tenant.sql
    .updateTable('crm_links')
    .set({ state: 'confirmed', refused_hash: null, error: null })
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .where('source_id', '=', sourceId)
    .execute()
}

/** Schedules every record of a kind to be written again. */
export async function writeKindAgain(tenant: Tenant, portalId: string, kind: CrmKind): Promise<void> {
  await compareAllNext(tenant)
  await tenant.sql
    .updateTable('crm_links')
    .set({ state: 'pending' })
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .where('state', '=', 'confirmed')
    .execute()
}

/** Deletes all links and associations of a kind, because its object type no longer exists. */
export async function forgetKind(tenant: Tenant, portalId: string, kind: CrmKind): Promise<void> {
  await compareAllNext(tenant)
  await tenant.sql
    .deleteFrom('crm_associations')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where((e) => e.or([e('kind', '=', kind), e('target_kind', '=', kind)]))
    .execute()
  await tenant.sql
    .deleteFrom('crm_links')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .execute()
}

/**
 * Parks records that somebody deleted in the CRM until they change or a person asks. Keeps their associations,
 * because a restored record gets them back too.
 */
export async function parkRemoved(
  tenant: Tenant,
  place: { portalId: string; kind: CrmKind; runId: string; reason: string },
  removed: readonly { sourceId: string }[],
): Promise<void> {
  if (removed.length === 0) return
  const { portalId, kind } = place
  const sourceIds = removed.map(({ sourceId }) => sourceId)
  await tenant.sql
    .updateTable('crm_links')
    .set((e) => ({
      state: 'removed',
      former_record_id: e.ref('record_id'),
      record_id: null,
      refused_hash: e.ref('confirmed_hash'),
      error: place.reason,
      run_id: place.runId,
    }))
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .where('source_id', 'in', sourceIds)
    .execute()
}

/** Those of these sources of records that exist here. */
export async function listExisting(
  tenant: Tenant,
  kind: CrmKind,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(sourceTables[kind])}
     where organization_id = ${tenant.organizationId} and id = any(${[...ids]}::text[])`.execute(tenant.sql)
  return new Set(rows.map(({ id }) => id))
}

/** Saves the current CRM id of our record, and schedules its associations again. */
export async function adoptRecord(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  record: { sourceId: string; recordId: string; formerId: string | null },
): Promise<void> {
  await compareAllNext(tenant)
  await tenant.sql
    .updateTable('crm_links')
    .set({ record_id: record.recordId, former_record_id: null, state: 'pending', error: null })
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .where('source_id', '=', record.sourceId)
    .execute()
  if (record.formerId === record.recordId) return
  await tenant.sql
    .deleteFrom('crm_associations')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .where('source_id', '=', record.sourceId)
    .execute()
  if (record.formerId === null) return
  await tenant.sql
    .deleteFrom('crm_associations')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('target_kind', '=', kind)
    .where('target_record_id', '=', record.formerId)
    .execute()
}
