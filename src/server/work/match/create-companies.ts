import type { CompanyCandidate, MatchCandidate } from '#domain/company.ts'
import type { CrmCompanyOutcome } from '../../providers/crm.ts'
import { keepCompanies } from '../erasure/keep-index.ts'
import { customersBy, inChunks, reportUnmade } from './create-outcomes.ts'
import type { Draft } from './decide-page.ts'
import { companyDomains } from './domains.ts'
import { candidateOf } from './index-rows.ts'
import { leaveSisters, planCompanies, wantsCompany } from './plan-creates.ts'
import type { MatchSession } from './session.ts'

/**
 * Creates a company for each domain that has none, with the domain as its key. A company that already has the key is
 * not changed, and linked only if it still has the domain; otherwise a person decides.
 */
export async function createCompanies(session: MatchSession, drafts: readonly Draft[]): Promise<Draft[]> {
  const { deps, access, write } = session
  const decided = leaveSisters(drafts)
  const wanted = planCompanies(decided)
  const outcomes = await inChunks(session, 'companies', wanted, (chunk) =>
    deps.crm.createCompanies(
      access,
      chunk.map((company) => ({ key: company.domain, ...company })),
    ),
  )
  const names = new Map(wanted.map(({ domain, name }) => [domain, name]))
  const companies = new Map(
    outcomes.flatMap((outcome): [string, CompanyCandidate][] => {
      const company = companyOf(outcome, names.get(outcome.key) ?? null)
      return company === undefined ? [] : [[outcome.key, company]]
    }),
  )
  const place = { deps, portalId: access.portalId, at: deps.now() }
  await write(async (tenant) => {
    await keepCompanies(tenant, place, [...companies.values()])
    await session.created?.(tenant, { companies: outcomes.filter(({ state }) => state === 'created').length })
  })
  const whose = customersBy(drafts, ({ address }) => address.registrableDomain)
  reportUnmade(session, outcomes, whose, (domain) => `The company of ${domain} was not created`)
  return drafts.map((draft, at) => {
    const company = wantsCompany(draft) ? companies.get(draft.address.registrableDomain ?? '') : undefined
    if (company === undefined) return draft
    const left = decided[at]
    return left && !wantsCompany(left) ? withSister(left, company) : withCompany(draft, company)
  })
}

/** We just created a company for a sister domain. A person decides whether this customer belongs to it. */
function withSister(draft: Draft, { recordId, name }: CompanyCandidate): Draft {
  const sister: MatchCandidate = { recordId, name, reasons: ['company_registrable_domain'] }
  const candidates = [sister, ...draft.match.candidates]
  return { ...draft, match: { ...draft.match, candidates } }
}

function companyOf(outcome: CrmCompanyOutcome, name: string | null): CompanyCandidate | undefined {
  const { key } = outcome
  if (outcome.state === 'found') return candidateOf(outcome.company)
  if (outcome.state !== 'created') return undefined
  return {
    recordId: outcome.recordId,
    name,
    ...companyDomains({ domains: [key], website: null }),
    createdFor: key,
  }
}

function withCompany(draft: Draft, { recordId, name, registrableDomains }: CompanyCandidate): Draft {
  const { match, address } = draft
  if (!registrableDomains.includes(address.registrableDomain ?? '')) {
    const candidates = [{ recordId, name, reasons: ['created_for_domain' as const] }]
    return { ...draft, match: { ...match, evidence: 'company_changed', candidates } }
  }
  return {
    ...draft,
    isCompanyOurs: true,
    match: {
      ...match,
      state: 'linked',
      evidence: 'created',
      companyRecordId: recordId,
      companyName: name,
      candidates: [],
    },
  }
}
