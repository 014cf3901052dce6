import { sql } from 'kysely'
import type { CrmKind } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'

export type Inspection = { mark: string; lookedAt: Date }

/** The last complete look at one kind of record in the portal. */
export async function findInspection(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
): Promise<Inspection | undefined> {
  const row = await tenant.sql
    .selectFrom('crm_looks')
    .select(['mark', 'looked_at'])
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row && { mark: row.mark, lookedAt: row.looked_at }
}

export async function saveInspection(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  look: Inspection,
): Promise<void> {
  const values = { mark: look.mark, looked_at: look.lookedAt }
  await tenant.sql
    .insertInto('crm_looks')
    .values({ organization_id: tenant.organizationId, portal_id: portalId, kind, ...values })
    .onConflict((conflict) => conflict.columns(['organization_id', 'portal_id', 'kind']).doUpdateSet(values))
    .execute()
}

/** How many of our records exist in the portal as far as we know, and when the last one was written. */
export async function countStanding(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
): Promise<{ known: number; standing: number; writtenAt: Date | null }> {
  const { rows } = await sql<{ known: number; standing: number; writtenAt: Date | null }>`
    select count(*) as known, count(record_id) as standing, max(confirmed_at) as "writtenAt" from crm_links
     where organization_id = ${tenant.organizationId} and portal_id = ${portalId} and kind = ${kind}`.execute(
    tenant.sql,
  )
  return rows[0] ?? { known: 0, standing: 0, writtenAt: null }
}
