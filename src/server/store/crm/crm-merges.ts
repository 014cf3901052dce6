import { sql } from 'kysely'
import type { CrmKind, CrmTarget } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'
import { compareAllNext } from './push-due.ts'

/**
 * Follows a merge of our records in the CRM. The record whose key remains gets the merged id and is rewritten; the
 * others lose their record and are created again. Associations move too. Returns the others' keys; undefined without
 * ours.
 */
export async function followRecordMerge(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  merged: { recordId: string; key: string | null; mergedIds: readonly string[] },
): Promise<string[] | undefined> {
  const mergedIds = [...merged.mergedIds]
  if (mergedIds.length === 0) return undefined
  const links = await tenant.sql
    .selectFrom('crm_links')
    .select('source_id')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .where((e) => e.or([e('record_id', 'in', mergedIds), e('former_record_id', 'in', mergedIds)]))
    .execute()
  if (links.length === 0) return undefined
  await compareAllNext(tenant)
  const others = links.map(({ source_id }) => source_id).filter((sourceId) => sourceId !== merged.key)
  if (merged.key !== null) await tieToSurvivor(tenant, portalId, kind, merged.key, others)
  if (kind === 'subscription') {
    const pairs = mergedIds.map((from) => ({ from, to: merged.recordId }))
    await followTies(tenant, portalId, kind, pairs)
  }
  const update = tenant.sql
    .updateTable('crm_links')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
  if (merged.key !== null) {
    await update
      .set({ record_id: merged.recordId, former_record_id: null, state: 'pending' })
      .where('source_id', '=', merged.key)
      .execute()
  }
  if (others.length > 0) {
    const set = { record_id: null, former_record_id: null, state: 'pending' }
    await update.set(set).where('source_id', 'in', others).execute()
  }
  return others
}

async function tieToSurvivor(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  survivor: string,
  others: readonly string[],
): Promise<void> {
  if (others.length === 0) return
  await sql`
    with taken as (
      delete from crm_associations
       where organization_id = ${tenant.organizationId} and portal_id = ${portalId} and kind = ${kind}
         and source_id = any(${[...others]}::text[])
      returning *)
    insert into crm_associations
      (organization_id, portal_id, kind, source_id, target_kind, target_record_id, state, error, run_id,
       confirmed_at)
    select organization_id, portal_id, kind, ${survivor}::text, target_kind, target_record_id, state,
           error, run_id, confirmed_at
      from taken
    on conflict do nothing`.execute(tenant.sql)
}

/** Moves the associations of merged records to the remaining record. */
export async function followTies(
  tenant: Tenant,
  portalId: string,
  target: CrmTarget,
  pairs: readonly { from: string; to: string }[],
): Promise<void> {
  await sql`
    with taken as (
      delete from crm_associations a
       using jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as given ("from" text, "to" text)
       where a.organization_id = ${tenant.organizationId} and a.portal_id = ${portalId} and a.target_kind = ${target}
         and a.target_record_id = given."from"
      returning a.*, given."to")
    insert into crm_associations
      (organization_id, portal_id, kind, source_id, target_kind, target_record_id, state, error, run_id,
       confirmed_at)
    select organization_id, portal_id, kind, source_id, target_kind, "to", state, error, run_id, confirmed_at
      from taken
    on conflict do nothing`.execute(tenant.sql)
}
