import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { writeMatches } from './write-matches.ts'

/**
 * Attaches customers again to the company that a person chose for them, where it was deleted in the CRM and restored
 * since. Returns the customers.
 */
export async function restoreChoices(tenant: Tenant, portalId: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ customerId: string; recordId: string; name: string | null }>`
    select m.customer_id as "customerId", i.record_id as "recordId", i.name
      from matches m
      join lateral (select d.state, d.company_record_id from match_decisions d
                     where d.organization_id = m.organization_id and d.portal_id = m.portal_id
                       and d.customer_id = m.customer_id
                     order by d.position desc limit 1) as decided on decided.state = 'linked'
      join crm_companies i on i.organization_id = m.organization_id and i.portal_id = m.portal_id
                          and i.record_id = decided.company_record_id
     where m.organization_id = ${tenant.organizationId} and m.portal_id = ${portalId}
       and m.state = 'pending' and m.evidence = 'choice_gone'
     order by m.customer_id`.execute(tenant.sql)
  const restored = rows.map(
    ({ customerId, ...company }) => ({ customerId, state: 'linked', evidence: 'person', company }) as const,
  )
  await writeMatches(tenant, portalId, restored, at)
  return rows.map(({ customerId }) => customerId)
}

/** A later choice that people made in the CRM itself takes the place of what was decided here. */
export async function forgetChoices(tenant: Tenant, portalId: string, customerId: string): Promise<void> {
  await tenant.sql
    .deleteFrom('match_decisions')
    .where('organization_id', '=', tenant.organizationId)
    .where('portal_id', '=', portalId)
    .where('customer_id', '=', customerId)
    .execute()
}
