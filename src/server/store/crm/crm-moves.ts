import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'

/** A customer some of whose subscription records were moved to another company in the CRM. */
export type MovedCustomer = {
  customerId: string
  /** The company in the customer's match. */
  companyRecordId: string
  /** Its subscriptions whose records are associated with that company as far as we know. */
  tiedSourceIds: string[]
}

/** The matched customers of these subscriptions. */
export async function listMovedCustomers(
  tenant: Tenant,
  portalId: string,
  sourceIds: readonly string[],
): Promise<MovedCustomer[]> {
  const { rows } = await sql<MovedCustomer>`
    select m.customer_id as "customerId", m.company_record_id as "companyRecordId",
           array(select s.id from subscriptions s
                   join crm_associations a on a.organization_id = s.organization_id and a.portal_id = m.portal_id
                                          and a.kind = 'subscription' and a.source_id = s.id
                                          and a.target_kind = 'company'
                                          and a.target_record_id = m.company_record_id and a.state = 'confirmed'
                  where s.organization_id = m.organization_id and s.customer_id = m.customer_id) as "tiedSourceIds"
      from matches m
     where m.organization_id = ${tenant.organizationId} and m.portal_id = ${portalId} and m.state = 'linked'
       and m.company_record_id is not null
       and m.customer_id in (select customer_id from subscriptions
                              where organization_id = ${tenant.organizationId} and id = any(${sourceIds}::text[]))
     order by m.customer_id`.execute(tenant.sql)
  return rows
}
