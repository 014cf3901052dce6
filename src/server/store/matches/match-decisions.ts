import { type RawBuilder, sql } from 'kysely'
import type { MatchEvidence, MatchState } from '#domain/company.ts'
import type { Tenant } from '../postgres/database.ts'
import { endingWith } from '../postgres/like-pattern.ts'
import { counted } from '../totals/list-totals.ts'

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
  return (await write(tenant, decided)) === 1
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

/** Customers whose address is on the registrable domain or a subdomain. */
function isOnDomain(domain: string) {
  return sql`(c.domain = ${domain} or c.domain like ${endingWith(`.${domain}`)})`
}

/** Links all waiting customers of a domain to the rule's company. Customers that a person holds back stay. */
export async function linkByRule(
  tenant: Tenant,
  portalId: string,
  rule: { domain: string; company: { recordId: string; name: string | null } },
  at: Date,
): Promise<number> {
  const linked = sql`
    update matches m set state = 'linked', evidence = 'rule', company_record_id = ${rule.company.recordId},
                         company_name = ${rule.company.name}, revision = m.revision + 1, updated_at = ${at}
      from customers c
     where m.organization_id = ${tenant.organizationId} and m.portal_id = ${portalId}
       and c.organization_id = m.organization_id and c.id = m.customer_id and ${isOnDomain(rule.domain)}
       and m.state = 'pending' and m.evidence not in ('unlinked', 'choice_gone')`
  return write(tenant, linked)
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
     where i.organization_id = m.organization_id and i.portal_id = m.portal_id and i.record_id = m.company_record_id
       and i.registrable_domains @> array[${domain}::text])`
  const released = sql`
    update matches m set state = 'pending', evidence = 'never_rule', company_record_id = null, company_name = null,
                         revision = m.revision + 1, updated_at = ${at}
      from customers c
     where m.organization_id = ${tenant.organizationId} and m.portal_id = ${portalId}
       and c.organization_id = m.organization_id and c.id = m.customer_id and ${isOnDomain(domain)}
       and m.state = 'linked'
       and (m.evidence in ('company_domain', 'created', 'rule')
            or m.evidence = 'contact_email' and ${isOfDomain})`
  return write(tenant, released)
}

/** Returns the number of written matches. */
async function write(tenant: Tenant, statement: RawBuilder<unknown>): Promise<number> {
  const { rows } = await counted<{ count: number }>(tenant, 'matches', statement).execute(tenant.sql)
  return rows[0]?.count ?? 0
}
