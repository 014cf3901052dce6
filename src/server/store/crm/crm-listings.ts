import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** How current a portal's index is, and how large. */
export type Listing = {
  /** When the last complete listing started. */
  listedAt: Date
  /** The index contains all changes before this time. */
  readUntil: Date
  /** How many there are; approximate between two listings. */
  companies: number
  contacts: number
}

/** Undefined if no listing of the portal was ever completed. */
export async function findListing(tenant: Tenant, portalId: string): Promise<Listing | undefined> {
  const { rows } = await sql<Listing>`
    select l.listed_at as "listedAt", l.read_until as "readUntil",
           coalesce(l.companies, ${countOf('crm_companies', tenant, portalId)}) as companies,
           coalesce(l.contacts, ${countOf('crm_contacts', tenant, portalId)}) as contacts
      from crm_listings l
     where l.organization_id = ${tenant.organizationId} and l.portal_id = ${portalId}`.execute(tenant.sql)
  return rows[0]
}

function countOf(table: 'crm_companies' | 'crm_contacts', tenant: Tenant, portalId: string) {
  return sql<number>`(
    select count(*) from ${sql.table(table)} as i
     where i.organization_id = ${tenant.organizationId} and i.portal_id = ${portalId})`
}

/** Call this after a complete listing that started at `at`. */
export async function saveListing(tenant: Tenant, portalId: string, at: Date): Promise<void> {
  const values = {
    listed_at: at,
    read_until: at,
    companies: countOf('crm_companies', tenant, portalId),
    contacts: countOf('crm_contacts', tenant, portalId),
  }
  await tenant.sql
    .insertInto('crm_listings')
    .values({ organization_id: tenant.organizationId, portal_id: portalId, ...values })
    .onConflict((conflict) => conflict.columns(['organization_id', 'portal_id']).doUpdateSet(values))
    .execute()
}

/** Call this after reading all changes up to `until`. */
export async function extendListing(tenant: Tenant, portalId: string, until: Date): Promise<void> {
  await tenant.sql
    .updateTable('crm_listings')
    .set({ read_until: until })
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .execute()
}
