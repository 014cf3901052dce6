import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** How far the index of a portal is true, and how large it is. */
export type Listing = {
  /** When the last complete listing was begun. */
  listedAt: Date
  /** Changes made before this are in the index. */
  readUntil: Date
  companies: number
  contacts: number
}

/** Undefined for a portal that was never listed to its end. */
export async function findListing(tenant: Tenant, portalId: string): Promise<Listing | undefined> {
  const size = (table: 'crm_companies' | 'crm_contacts') => sql`(
    select count(*) from ${sql.table(table)} as i
     where i.organization_id = l.organization_id and i.portal_id = l.portal_id)`
  const { rows } = await sql<Listing>`
    select l.listed_at as "listedAt", l.read_until as "readUntil",
           ${size('crm_companies')} as companies, ${size('crm_contacts')} as contacts
      from crm_listings l
     where l.organization_id = ${tenant.organizationId} and l.portal_id = ${portalId}`.execute(tenant.sql)
  return rows[0]
}

/** After a complete listing that was begun at `at`. */
export async function saveListing(tenant: Tenant, portalId: string, at: Date): Promise<void> {
  const values = { listed_at: at, read_until: at }
  await tenant.sql
    .insertInto('crm_listings')
    .values({ organization_id: tenant.organizationId, portal_id: portalId, ...values })
    .onConflict((conflict) => conflict.columns(['organization_id', 'portal_id']).doUpdateSet(values))
    .execute()
}

/** After all changes up to `until` were read. */
export async function extendListing(tenant: Tenant, portalId: string, until: Date): Promise<void> {
  await tenant.sql
    .updateTable('crm_listings')
    .set({ read_until: until })
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .execute()
}
