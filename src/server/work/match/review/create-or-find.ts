import type { CompanyCandidate } from '#domain/company.ts'
import type { Deps } from '../../../deps.ts'
import type { CrmCompanyOutcome } from '../../../providers/crm.ts'
import type { CrmAccess } from '../../../providers/crm-directory.ts'
import { companyDomains } from '../domains.ts'
import { candidateOf } from '../index-rows.ts'

export type WantedCompany = { key: string; domain: string | null; name: string }
/** The company of a key, or why there is none. */
export type MadeCompany = { company: CompanyCandidate; isFound: boolean } | { refusal: string }

/** How many companies we skip because people changed them into others. */
const companiesPassedMax = 20

const tooManyOthers =
  'Too many companies were created for this customer and became others since. Choose one of them.'

/**
 * Creates companies under our keys. If people turned the company with a key into another, it tries the next key;
 * repeated calls reach the same key.
 */
export async function createOrFind(
  deps: Deps,
  access: CrmAccess,
  wanted: readonly WantedCompany[],
): Promise<Map<string, MadeCompany>> {
  const made = new Map<string, MadeCompany>()
  for (let number = 1; number <= companiesPassedMax && made.size < wanted.length; number++) {
    const open = wanted.filter(({ key }) => !made.has(key))
    const tried = (key: string) => (number === 1 ? key : `${key}/${number}`)
    const drafts = open.map((company) => ({ ...company, key: tried(company.key) }))
    const outcomes = new Map(
      (await createInBatches(deps, access, drafts)).map((outcome) => [outcome.key, outcome]),
    )
    for (const company of open) {
      const one = madeOf(deps, company, tried(company.key), outcomes.get(tried(company.key)))
      if (one !== 'taken') made.set(company.key, one)
    }
  }
  for (const { key } of wanted) if (!made.has(key)) made.set(key, { refusal: tooManyOthers })
  return made
}

async function createInBatches(
  { crm }: Deps,
  access: CrmAccess,
  drafts: readonly WantedCompany[],
): Promise<CrmCompanyOutcome[]> {
  const outcomes: CrmCompanyOutcome[] = []
  for (let start = 0; start < drafts.length; start += crm.limits.recordsPerBatch) {
    outcomes.push(
      ...(await crm.createCompanies(access, drafts.slice(start, start + crm.limits.recordsPerBatch))),
    )
  }
  return outcomes
}

/** What became of one key; `taken` if its company is another one by now. */
function madeOf(
  { crm }: Deps,
  { domain, name }: WantedCompany,
  key: string,
  outcome: CrmCompanyOutcome | undefined,
): MadeCompany | 'taken' {
  if (outcome?.state === 'created') {
    const domains = companyDomains({ domains: domain === null ? [] : [domain], website: null })
    return { company: { recordId: outcome.recordId, name, ...domains, createdFor: key }, isFound: false }
  }
  if (outcome?.state !== 'found') {
    const unsaid = `${crm.name} did not say what became of the company. Please try again.`
    return { refusal: outcome?.message ?? unsaid }
  }
  const company = candidateOf(outcome.company)
  return isStillOf(company, domain) ? { company, isFound: true } : 'taken'
}

function isStillOf({ registrableDomains }: CompanyCandidate, domain: string | null): boolean {
  return domain === null || registrableDomains.length === 0 || registrableDomains.includes(domain)
}
