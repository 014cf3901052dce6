/** A company of the CRM as a candidate for a customer. */
export type CompanyCandidate = {
  recordId: string
  name: string | null
  /** Hosts that its record names. */
  domains: readonly string[]
  registrableDomains: readonly string[]
}

/** Why a candidate was considered, in the order of its strength. */
export type MatchReason = 'contact_email' | 'company_domain' | 'company_registrable_domain'

/** Why a match is what it is; the values of matches.evidence. */
export type MatchEvidence =
  | 'contact_email'
  | 'company_domain'
  | 'created'
  | 'person'
  | 'no_candidate'
  | 'several_candidates'
  | 'free_mail'
  | 'no_email'

export type MatchCandidate = { recordId: string; name: string | null; reasons: MatchReason[] }

/** What is known of a customer when its company is looked for. */
export type CompanyEvidence = {
  email: string | null
  /** Host of the address, lower case and in punycode; null without a usable address. */
  host: string | null
  registrableDomain: string | null
  isFreeMail: boolean
  /** Companies of the contact that has this address, first or additional. */
  ofContact: readonly CompanyCandidate[]
  /** Companies that share the host or the registrable domain. */
  byDomain: readonly CompanyCandidate[]
}

export type CompanyDecision =
  | { state: 'linked'; evidence: 'contact_email' | 'company_domain'; company: CompanyCandidate }
  | { state: 'pending'; evidence: MatchEvidence; candidates: MatchCandidate[] }

/**
 * The ladder: the contact's company, then the company of the very host, then that of the registrable domain. One
 * candidate on the first step that has any is linked; several wait for a person. Free mail says nothing of a company.
 */
export function decideCompany(evidence: CompanyEvidence): CompanyDecision {
  const { host, registrableDomain, ofContact } = evidence
  const known = evidence.isFreeMail ? [] : evidence.byDomain
  const byHost = known.filter(({ domains }) => host !== null && domains.includes(host))
  const byRegistrable = known.filter(
    ({ registrableDomains }) => registrableDomain !== null && registrableDomains.includes(registrableDomain),
  )
  const ofContactHere = ofContact.filter(({ recordId }) =>
    byRegistrable.some((company) => company.recordId === recordId),
  )
  const ofContactStrongest = ofContact.length > 1 && ofContactHere.length === 1 ? ofContactHere : ofContact
  const steps = [
    { evidence: 'contact_email', found: ofContactStrongest },
    { evidence: 'company_domain', found: byHost },
    { evidence: 'company_domain', found: byRegistrable },
  ] as const
  const step = steps.find(({ found }) => found.length > 0)
  const [company] = step?.found ?? []
  if (step && company && step.found.length === 1) return { state: 'linked', evidence: step.evidence, company }
  return {
    state: 'pending',
    evidence: company ? 'several_candidates' : reasonForNone(evidence),
    candidates: mergeCandidates([
      { reason: 'contact_email', found: ofContact },
      { reason: 'company_domain', found: byHost },
      { reason: 'company_registrable_domain', found: byRegistrable },
    ]),
  }
}

function reasonForNone({ host, isFreeMail }: CompanyEvidence): MatchEvidence {
  if (host === null) return 'no_email'
  return isFreeMail ? 'free_mail' : 'no_candidate'
}

const candidatesMax = 20

function mergeCandidates(
  steps: { reason: MatchReason; found: readonly CompanyCandidate[] }[],
): MatchCandidate[] {
  const merged = new Map<string, MatchCandidate>()
  for (const { reason, found } of steps) {
    for (const { recordId, name } of found) {
      const candidate = merged.get(recordId) ?? { recordId, name, reasons: [] }
      candidate.reasons.push(reason)
      merged.set(recordId, candidate)
    }
  }
  return [...merged.values()].slice(0, candidatesMax)
}

/** An address as the CRM keeps it: trimmed and lower case; null when it cannot be one. */
export function normalizeEmail(email: string | null): string | null {
  const text = email?.trim().toLowerCase() ?? ''
  return text.length <= 254 && /^[^\s@;,<>"]+@[^\s@;,<>"]+\.[^\s@;,<>"]+$/.test(text) ? text : null
}
