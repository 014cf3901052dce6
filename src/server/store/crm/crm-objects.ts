import { sql } from 'kysely'
import type { CrmKind } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'

export type CrmObjectRow = {
  kind: CrmKind
  objectTypeId: string | null
  state: 'ready' | 'missing' | 'failed'
  /** Why the object is not ready, and what a person can do about it. */
  reason: string | null
  advice: string | null
}

/** Our objects in a portal, if we ever looked for them. */
export async function listCrmObjects(tenant: Tenant, portalId: string): Promise<CrmObjectRow[]> {
  const rows = await tenant.sql
    .selectFrom('crm_objects')
    .select(['kind', 'object_type_id', 'state', 'reason', 'advice'])
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .orderBy('kind', 'desc')
    .execute()
  return rows.map((row) => ({
    kind: row.kind === 'subscription' ? 'subscription' : 'event',
    objectTypeId: row.object_type_id,
    state: row.state === 'ready' || row.state === 'failed' ? row.state : 'missing',
    reason: row.reason,
    advice: row.advice,
  }))
}

/** Whether the last try to create our objects in the portal failed. Objects that nobody tried to create have not failed. */
export async function areObjectsMissing(tenant: Tenant, portalId: string): Promise<boolean> {
  const objects = await listCrmObjects(tenant, portalId)
  return objects.some(({ state }) => state === 'failed')
}

export async function saveCrmObject(
  tenant: Tenant,
  portalId: string,
  object: CrmObjectRow,
  at: Date,
): Promise<void> {
  const values = {
    object_type_id: object.objectTypeId,
    state: object.state,
    reason: object.reason,
    advice: object.advice,
    updated_at: at,
  }
  await tenant.sql
    .insertInto('crm_objects')
    .values({ organization_id: tenant.organizationId, portal_id: portalId, kind: object.kind, ...values })
    .onConflict((conflict) => conflict.columns(['organization_id', 'portal_id', 'kind']).doUpdateSet(values))
    .execute()
}

/** The portal whose objects we looked at last; undefined if there was none. */
export async function findLastPortal(tenant: Tenant): Promise<string | undefined> {
  const row = await tenant.sql
    .selectFrom('crm_objects')
    .select('portal_id')
    .where('organization_id', '=', tenant.organizationId)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.portal_id
}

/** Like `findLastPortal`, but only a portal that got records or companies from us. */
export async function findLastWrittenPortal(tenant: Tenant): Promise<string | undefined> {
  const { rows } = await sql<{ portalId: string }>`
    select o.portal_id as "portalId" from crm_objects o
     where o.organization_id = ${tenant.organizationId}
       and (exists (select from crm_links l
                     where l.organization_id = o.organization_id and l.portal_id = o.portal_id)
            or exists (select from crm_companies c
                        where c.organization_id = o.organization_id and c.portal_id = o.portal_id
                          and c.created_for is not null))
     order by o.updated_at desc limit 1`.execute(tenant.sql)
  return rows[0]?.portalId
}
