import { sql } from 'kysely'
import type { MatchEvidence, MatchState } from '#domain/company.ts'
import type { Tenant } from '../postgres/database.ts'
import { endingWith } from '../postgres/like-pattern.ts'
import { writeCounted } from '../totals/list-totals.ts'

/** A person's decision on one customer. */
export type MatchDecision = {
  state: MatchState
  evidence: MatchEvidence
  company: { recordId: string; name: string | null } | null
}

/** Saves a person's decision over any earlier state. False if the organization does not have the customer. */
export async function decideMatch(
  tenant: Tenant,
  portalId: string,
  customerId: string,
  { state, evidence, company }: MatchDecision,
  at: Date,
): Promise<boolean> {
  const decided = sql`
    insert into matches as known
      (organization_id, portal_id, customer_id, state, evidence, company_record_id, company_name, updated_at)
    select organization_id, ${portalId}, id, ${state}, ${evidence}, ${company?.recordId ?? null}::text,
           ${company?.name ?? null}::text, ${at}
      from customers
     where organization_id = ${tenant.organizationId} and id = ${customerId}
    on conflict (organization_id, customer_id, portal_id) do update set
      state = excluded.state, evidence = excluded.evidence, company_record_id = excluded.company_record_id,
      company_name = excluded.company_name, revision = known.revision + 1, updated_at = excluded.updated_at`
  const which = sql<boolean>`known.portal_id = ${portalId} and known.customer_id = ${customerId}`
  return (await writeCounted(tenant, 'matches', { which, statement: decided, inserts: 1 })).length === 1
}

export type DecidableMatch = {
  email: string | null
  state: MatchState | null
  evidence: MatchEvidence | null
  contactRecordId: string | null
}

/** A customer with the state of its match, locked until the transaction ends; undefined if unknown. */
export async function findDecidable(
  tenant: Tenant,
  portalId: string,
  customerId: string,
): Promise<DecidableMatch | undefined> {
  const { rows } = await sql<DecidableMatch>`
    select c.email, m.state, m.evidence, m.contact_record_id as "contactRecordId"
      from customers c
      left join matches m on m.organization_id = c.organization_id and m.portal_id = ${portalId}
                         and m.customer_id = c.id
     where c.organization_id = ${tenant.organizationId} and c.id = ${customerId}
       for update of c`.execute(tenant.sql)
  return rows[0]
}

/** Matches in the portal of customers whose address is on the registrable domain or a subdomain. */
function isOnDomain(portalId: string, domain: string) {
  return sql`known.portal_id = ${portalId} and exists (
    select from customers c
     where c.organization_id = known.organization_id and c.id = known.customer_id
       and (c.domain = ${domain} or c.domain like ${endingWith(`.${domain}`)}))`
}

/** Links all waiting customers of a domain to the rule's company. Customers that a person holds back stay. */
export async function linkByRule(
  tenant: Tenant,
  portalId: string,
  rule: { domain: string; company: { recordId: string; name: string | null } },
  at: Date,
): Promise<number> {
  const which = sql<boolean>`${isOnDomain(portalId, rule.domain)}
    and known.state = 'pending' and known.evidence not in ('unlinked', 'choice_gone')`
  const statement = sql`
    update matches as known set state = 'linked', evidence = 'rule', company_record_id = ${rule.company.recordId},
                         company_name = ${rule.company.name}, revision = known.revision + 1, updated_at = ${at}
     where known.organization_id = ${tenant.organizationId} and ${which}`
  return (await writeCounted(tenant, 'matches', { which, statement })).length
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
