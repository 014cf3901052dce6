import { sql } from 'kysely'
import type { CrmTarget } from '#domain/crm-record.ts'
import type { Tenant } from '../postgres/database.ts'

type Target = { portalId: string; target: CrmTarget; recordId: string }

/** Companies by name and contacts by address, as the CRM says it now; those that it no longer has are left out. */
export async function listTargetNames(
  tenant: Tenant,
  targets: readonly Target[],
): Promise<(Target & { name: string })[]> {
  if (targets.length === 0) return []
  const texts = (of: (one: Target) => string) => sql`${targets.map(of)}::text[]`
  const ofTarget = sql`i.organization_id = ${tenant.organizationId} and i.portal_id = given.portal_id
                       and i.record_id = given.record_id`
  const { rows } = await sql<Target & { name: string }>`
    select given.portal_id as "portalId", given.target, given.record_id as "recordId", x.name
      from unnest(${texts((one) => one.portalId)}, ${texts((one) => one.target)}, ${texts((one) => one.recordId)})
           as given (portal_id, target, record_id)
     cross join lateral (
       select i.name from crm_companies i where ${ofTarget} and given.target = 'company'
       union all
       select i.emails[1] from crm_contacts i where ${ofTarget} and given.target = 'contact') as x
     where x.name <> ''`.execute(tenant.sql)
  return rows
}
