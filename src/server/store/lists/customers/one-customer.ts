import { sql } from 'kysely'
import type { MatchCandidate, MatchEvidence, MatchState } from '#domain/company.ts'
import { currentPortal } from '../../crm/current-portal.ts'
import { decidedBy } from '../../matches/decided-by.ts'
import type { Tenant } from '../../postgres/database.ts'
import { type CurrentCandidate, withCurrentCandidates } from '../current-candidates.ts'

/** How a customer was matched in the current portal, with its contact there. */
export type CustomerMatch = {
  portalId: string
  state: MatchState
  evidence: MatchEvidence
  decidedBy: string | null
  companyRecordId: string | null
  companyName: string | null
  candidates: CurrentCandidate[]
  contactRecordId: string | null
  contactProblem: string | null
}

/** Undefined if nobody has looked for the customer's company in the current portal. */
export async function findCustomerMatch(
  tenant: Tenant,
  customerId: string,
): Promise<CustomerMatch | undefined> {
  const { rows } = await sql<Omit<CustomerMatch, 'candidates'> & { candidates: MatchCandidate[] }>`
    select portal_id as "portalId", state, evidence, company_record_id as "companyRecordId", company_name as "companyName",
           candidates, contact_record_id as "contactRecordId", contact_problem as "contactProblem",
           ${decidedBy} as "decidedBy"
      from matches m
     where organization_id = ${tenant.organizationId} and customer_id = ${customerId}
       and portal_id = ${currentPortal(tenant)}`.execute(tenant.sql)
  return (await withCurrentCandidates(tenant, rows))[0]
}

/** The other customers of a company: the first few, the highest MRR first, and what all of them come to. */
export type CompanyCustomers = {
  ids: string[]
  count: number
  /** In the reporting currency; `others` has no rate. */
  mrrCents: number
  others: { currency: string; mrrCents: number }[]
}

/** The sums include the customer itself; `ids` and `count` do not. */
export async function listCompanyCustomers(
  tenant: Tenant,
  company: { portalId: string; companyRecordId: string; exceptId: string },
  limit: number,
): Promise<CompanyCustomers> {
  const { rows } = await sql<CompanyCustomers>`
    with own as materialized (
      select c.id, c.reporting_mrr_cents, c.unconverted_by_currency
        from matches m
        join customers c on c.organization_id = m.organization_id and c.id = m.customer_id
       where m.organization_id = ${tenant.organizationId} and m.portal_id = ${company.portalId} and m.state = 'linked'
         and m.company_record_id = ${company.companyRecordId})
    select array(select id from own where id <> ${company.exceptId} order by reporting_mrr_cents desc, id limit ${limit}) as ids,
           (select count(*) from own where id <> ${company.exceptId}) as count,
           (select coalesce(sum(reporting_mrr_cents), 0)::bigint from own) as "mrrCents",
           coalesce((select jsonb_agg(jsonb_build_object('currency', key, 'mrrCents', cents) order by key)
                       from (select key, sum(value::bigint) as cents from own, jsonb_each_text(unconverted_by_currency)
                              group by key) as sums), '[]') as others`.execute(tenant.sql)
  return rows[0] ?? { ids: [], count: 0, mrrCents: 0, others: [] }
}
