import { sql } from 'kysely'
import { heldEvidences, type MatchEvidence } from '#domain/company.ts'
import type { Tenant } from '../postgres/database.ts'
import { endingWith } from '../postgres/like-pattern.ts'

/** A person who took a choice back, often of a whole domain, decides anew by a rule. */
const heldFromRules = heldEvidences.filter((evidence) => evidence !== 'choice_undone')

/** Matches in the portal of customers whose address is on the registrable domain or a subdomain. */
function isOnDomain(portalId: string, domain: string) {
  return sql`known.portal_id = ${portalId} and exists (
    select from customers c
     where c.organization_id = known.organization_id and c.id = known.customer_id
       and (c.domain = ${domain} or c.domain like ${endingWith(`.${domain}`)}))`
}

/** Customers of the domain that wait, without those that a person holds back, but with those of a choice taken back. */
function waitsOnDomain(tenant: Tenant, portalId: string, domain: string) {
  return sql`known.organization_id = ${tenant.organizationId} and ${isOnDomain(portalId, domain)}
    and known.state = 'pending' and not known.evidence = any(${heldFromRules}::text[])`
}

/** The customers that a rule for the domain attaches, locked until the transaction ends. */
export async function lockWaitingOfDomain(
  tenant: Tenant,
  portalId: string,
  domain: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select customer_id as id from matches known
     where ${waitsOnDomain(tenant, portalId, domain)}
     order by customer_id for update`.execute(tenant.sql)
  return rows.map(({ id }) => id)
}

/** Customers of the domain that are with the company of its rule `r`. */
function isWithRule(tenant: Tenant, portalId: string, domain: string) {
  return sql`known.organization_id = ${tenant.organizationId} and r.domain = ${domain} and known.state = 'linked'
    and ${isOnDomain(portalId, domain)}`
}

const withRules = sql`matches known join match_rules r using (organization_id, portal_id, company_record_id)`

/** The customers of a domain that are with the company of its rule, locked until the transaction ends. */
export async function lockAttachedOfDomain(
  tenant: Tenant,
  portalId: string,
  domain: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select known.customer_id as id from ${withRules} where ${isWithRule(tenant, portalId, domain)}
     order by known.customer_id for update of known`.execute(tenant.sql)
  return rows.map(({ id }) => id)
}

/** Counts the customers that a rule for the domain would attach, with their records, and those with the company of its rule. */
export async function countOfDomain(
  tenant: Tenant,
  portalId: string,
  { domain, exceptCustomerId = '' }: { domain: string; exceptCustomerId?: string | undefined },
): Promise<{ waitingCustomers: number; waitingRecords: number; attachedCustomers: number }> {
  const recordsOf = (list: 'subscriptions' | 'events') => sql`
    (select count(*) from ${sql.table(list)} r
      where r.organization_id = ${tenant.organizationId} and r.customer_id in (select customer_id from waiting))`
  const { rows } = await sql<Record<'customers' | 'records' | 'attached', number>>`
    with waiting as (
      select customer_id from matches known
       where ${waitsOnDomain(tenant, portalId, domain)} and known.customer_id <> ${exceptCustomerId})
    select (select count(*) from waiting)::integer as customers,
           (${recordsOf('subscriptions')} + ${recordsOf('events')})::integer as records,
           (select count(*) from ${withRules} where ${isWithRule(tenant, portalId, domain)})::integer as attached`.execute(
    tenant.sql,
  )
  const { customers = 0, records = 0, attached = 0 } = rows[0] ?? {}
  return { waitingCustomers: customers, waitingRecords: records, attachedCustomers: attached }
}

/**
 * The linked customers of a domain whose only evidence for the company is the domain, locked until the transaction ends. A
 * contact whose company has that same domain is no further evidence.
 */
export async function lockLinkedByDomain(
  tenant: Tenant,
  portalId: string,
  domain: string,
): Promise<{ customerId: string; evidence: MatchEvidence }[]> {
  const isOfDomain = sql`exists (
    select from crm_companies i
     where i.organization_id = known.organization_id and i.portal_id = known.portal_id
       and i.record_id = known.company_record_id
       and i.registrable_domains @> array[${domain}::text])`
  const { rows } = await sql<{ customerId: string; evidence: MatchEvidence }>`
    select customer_id as "customerId", evidence from matches known
     where known.organization_id = ${tenant.organizationId} and ${isOnDomain(portalId, domain)} and known.state = 'linked'
       and (known.evidence in ('company_domain', 'created', 'rule')
            or known.evidence = 'contact_email' and ${isOfDomain})
     order by customer_id for update`.execute(tenant.sql)
  return rows
}
