import { type CompanyFacts, type MatchCandidate, noCompanyFacts } from '#domain/company.ts'
import { listCompanies } from '../crm/crm-index.ts'
import type { Tenant } from '../postgres/database.ts'

/** A candidate as the index of the CRM has it now; without domains and facts if it is no longer there. */
export type CurrentCandidate = MatchCandidate & { domains: readonly string[]; facts: CompanyFacts }

type Stored = { portalId: string; candidates: MatchCandidate[] }

/** Candidates are stored with the names of that time. One query finds the companies of all of these matches. */
export async function withCurrentCandidates<Row extends Stored>(
  tenant: Tenant,
  matches: readonly Row[],
): Promise<(Omit<Row, 'candidates'> & { candidates: CurrentCandidate[] })[]> {
  const recordIds = new Set(matches.flatMap(({ candidates }) => candidates.map(({ recordId }) => recordId)))
  const [first] = matches
  const companies =
    first === undefined || recordIds.size === 0
      ? []
      : await listCompanies(tenant, first.portalId, [...recordIds])
  const byId = new Map(companies.map((company) => [company.recordId, company]))
  const current = ({ recordId, name, reasons }: MatchCandidate): CurrentCandidate => {
    const company = byId.get(recordId)
    return {
      recordId,
      reasons,
      name: company ? company.name : name,
      domains: company?.domains ?? [],
      facts: company?.facts ?? noCompanyFacts,
    }
  }
  return matches.map((match) => ({ ...match, candidates: match.candidates.map(current) }))
}
