import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** A customer some of whose subscription records were moved to another company in the CRM. */
export type MovedCustomer = {
  customerId: string
  /** The company in the customer's match; null for a customer that waits. */
  companyRecordId: string | null
  /** Its subscriptions whose records are associated with that company as far as we know; of one that waits, all. */
  tiedSourceIds: string[]
}

/** The customers of these subscriptions that are matched, or wait without a person having taken them off a company. */
export async function listMovedCustomers(
  tenant: Tenant,
  portalId: string,
  sourceIds: readonly string[],
): Promise<MovedCustomer[]> {
  const { rows } = await sql<MovedCustomer>`
    select m.customer_id as "customerId", m.company_record_id as "companyRecordId",
           array(select s.id from subscriptions s
                  where s.organization_id = m.organization_id and s.customer_id = m.customer_id
                    and case when m.state = 'linked' then exists (
                          select from crm_associations a
                           where a.organization_id = s.organization_id and a.portal_id = m.portal_id
                             and a.kind = 'subscription' and a.source_id = s.id and a.target_kind = 'company'
                             and a.target_record_id = m.company_record_id and a.state = 'confirmed')
                        else exists (
                          select from crm_links l
                           where l.organization_id = s.organization_id and l.portal_id = m.portal_id
                             and l.kind = 'subscription' and l.source_id = s.id and l.record_id is not null)
                        end) as "tiedSourceIds"
      from matches m
     where m.organization_id = ${tenant.organizationId} and m.portal_id = ${portalId}
       and (m.state = 'linked' and m.company_record_id is not null
            or m.state = 'pending' and m.evidence not in ('unlinked', 'choice_undone', 'creation_undone'))
       and m.customer_id in (select customer_id from subscriptions
                              where organization_id = ${tenant.organizationId} and id = any(${sourceIds}::text[]))
     order by m.customer_id`.execute(tenant.sql)
  return rows
}
