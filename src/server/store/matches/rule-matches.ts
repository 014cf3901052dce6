import { sql } from 'kysely'
import type { Tenant } from '../postgres/database.ts'
import { endingWith } from '../postgres/like-pattern.ts'
import { writeCounted } from '../totals/list-totals.ts'

/** Matches in the portal of customers whose address is on the registrable domain or a subdomain. */
function isOnDomain(portalId: string, domain: string) {
  return sql`known.portal_id = ${portalId} and exists (
    select from customers c
     where c.organization_id = known.organization_id and c.id = known.customer_id
       and (c.domain = ${domain} or c.domain like ${endingWith(`.${domain}`)}))`
}

/** The customers of a domain that wait, locked until the transaction ends, without those that a person holds back. */
export async function lockWaitingOfDomain(
  tenant: Tenant,
  portalId: string,
  domain: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select customer_id as id from matches known
     where known.organization_id = ${tenant.organizationId} and ${isOnDomain(portalId, domain)}
       and known.state = 'pending' and known.evidence not in ('unlinked', 'choice_gone')
     order by customer_id for update`.execute(tenant.sql)
  return rows.map(({ id }) => id)
}

/**
 * Unlinks customers of a domain whose only evidence for the company is the domain. A contact whose company has that
 * same domain is no further evidence.
 */
export async function releaseByRule(
  tenant: Tenant,
  portalId: string,
  domain: string,
  at: Date,
): Promise<number> {
  const isOfDomain = sql`exists (
    select from crm_companies i
     where i.organization_id = known.organization_id and i.portal_id = known.portal_id
       and i.record_id = known.company_record_id
       and i.registrable_domains @> array[${domain}::text])`
  const which = sql<boolean>`${isOnDomain(portalId, domain)} and known.state = 'linked'
    and (known.evidence in ('company_domain', 'created', 'rule')
         or known.evidence = 'contact_email' and ${isOfDomain})`
  const statement = sql`
    update matches as known set state = 'pending', evidence = 'never_rule', company_record_id = null, company_name = null,
                         revision = known.revision + 1, updated_at = ${at}
     where known.organization_id = ${tenant.organizationId} and ${which}`
  return (await writeCounted(tenant, 'matches', { which, statement })).length
}
