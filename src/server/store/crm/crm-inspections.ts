import { sql } from 'kysely'
import type { CrmKind } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'

/** Our records of one kind in the portal as far as we know, and when the last one was written. */
export type StandingCount = { known: number; standing: number; writtenAt: Date | null }

/** `standing` is null if records were written since it was saved. */
export type Inspection = { mark: string; lookedAt: Date; standing: StandingCount | null }

/** The last complete look at one kind of record in the portal. */
export async function findInspection(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
): Promise<Inspection | undefined> {
  const row = await tenant.sql
    .selectFrom('crm_looks')
    .select(['mark', 'looked_at', 'known', 'standing', 'written_at'])
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { mark, looked_at: lookedAt, known, standing, written_at: writtenAt } = row
  return {
    mark,
    lookedAt,
    standing: known === null || standing === null ? null : { known, standing, writtenAt },
  }
}

export async function saveInspection(
  tenant: Tenant,
  portalId: string,
  kind: CrmKind,
  look: Pick<Inspection, 'mark' | 'lookedAt'>,
): Promise<void> {
  const values = { mark: look.mark, looked_at: look.lookedAt }
  await tenant.sql
    .insertInto('crm_looks')
    .values({ organization_id: tenant.organizationId, portal_id: portalId, kind, ...values })
    .onConflict((conflict) => conflict.columns(['organization_id', 'portal_id', 'kind']).doUpdateSet(values))
    .execute()
}

/** Counts our records of a kind that exist in the portal as far as we know. */
export async function countStanding(tenant: Tenant, portalId: string, kind: CrmKind): Promise<StandingCount> {
  const { rows } = await sql<StandingCount>`
    select count(*) as known, count(record_id) as standing, max(confirmed_at) as "writtenAt" from crm_links
     where organization_id = ${tenant.organizationId} and portal_id = ${portalId} and kind = ${kind}`.execute(
    tenant.sql,
  )
  return rows[0] ?? { known: 0, standing: 0, writtenAt: null }
}

/** Saves these counts for both kinds, so that pushes that change nothing need not count. */
export async function saveStanding(tenant: Tenant, portalId: string): Promise<void> {
  await sql`
    update crm_looks k set known = counted.known, standing = counted.standing, written_at = counted.written_at
      from (select kind, count(*) as known, count(record_id) as standing, max(confirmed_at) as written_at
              from crm_links
             where organization_id = ${tenant.organizationId} and portal_id = ${portalId} group by kind) as counted
     where k.organization_id = ${tenant.organizationId} and k.portal_id = ${portalId} and k.kind = counted.kind`.execute(
    tenant.sql,
  )
}

/** Call this before records are written. */
export async function forgetStanding(tenant: Tenant, portalId: string): Promise<void> {
  await tenant.sql
    .updateTable('crm_looks')
    .set({ known: null, standing: null, written_at: null })
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .execute()
}
