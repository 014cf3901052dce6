import type { CrmKind } from '#domain/crm-record.ts'
import type { Tenant } from './database.ts'

/** One confirmed record of ours in the CRM, the newest; undefined while there is none. */
export function findCrmSample(tenant: Tenant, kind: CrmKind) {
  return tenant.sql
    .selectFrom('crm_links')
    .select(['source_id as sourceId', 'record_id as recordId'])
    .where('organization_id', '=', tenant.organizationId)
    .where('kind', '=', kind)
    .where('state', '=', 'confirmed')
    .where('record_id', 'is not', null)
    .orderBy('confirmed_at', 'desc')
    .orderBy('source_id')
    .limit(1)
    .executeTakeFirst()
}

/** The record of one of our rows in the portal; undefined while it has none. */
export async function findRecordId(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  sourceId: string,
): Promise<string | undefined> {
  const link = await tenant.sql
    .selectFrom('crm_links')
    .select('record_id')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .where('source_id', '=', sourceId)
    .executeTakeFirst()
  return link?.record_id ?? undefined
}
