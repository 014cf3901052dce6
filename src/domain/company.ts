/** A company of the CRM as a candidate for a customer. */
export type CompanyCandidate = {
  recordId: string
  name: string | null
  /** Hosts that its record names. */
  domains: readonly string[]
  registrableDomains: readonly string[]
  /** The key under which we created it: a domain, or a customer; null for one that is none of ours. */
  createdFor?: string | null
}

/** Why a candidate was considered, in the order of its strength. A name alone never links. */
export const matchReasons = [
  'contact_primary',
  'contact_email',
  'company_domain',
  'company_registrable_domain',
  'created_for_domain',
  'same_name',
] as const
export type MatchReason = (typeof matchReasons)[number]

/** Why a match is what it is; the values of matches.evidence. */
export const matchEvidences = [
  'contact_email',
  'company_domain',
  'created',
  'person',
  'rule',
  'no_candidate',
  'several_candidates',
  'related_domain',
  'doubtful_domain',
  'free_mail',
  'misspelled_email',
  'no_email',
  'invalid_email',
  'shared_domain',
  'never_rule',
  'unlinked',
  'company_changed',
  'company_gone',
  'choice_gone',
] as const
export type MatchEvidence = (typeof matchEvidences)[number]

/** A person said that the company is wrong, or the one that a person chose is gone: only a person links again. */
export function isHeldForPerson(evidence: MatchEvidence): boolean {
  return evidence === 'unlinked' || evidence === 'choice_gone'
}

export const matchStates = ['linked', 'pending', 'ignored'] as const
export type MatchState = (typeof matchStates)[number]

export type MatchCandidate = { recordId: string; name: string | null; reasons: MatchReason[] }

/** What a person decided for all customers of a domain; `company` null when it is gone from the CRM. */
export type DomainRule = { kind: 'never' } | { kind: 'always'; company: CompanyCandidate | null }

/**
 * What the address of a customer is worth. `own`: the domain of somebody in particular. `doubtful`: perhaps a mail
 * provider's, so that no company is made of it. `personal`, `misspelled` (of a well-known provider) and `invalid`: the
 * domain says nothing of the company.
 */
export type AddressKind = 'own' | 'doubtful' | 'personal' | 'misspelled' | 'invalid' | 'none'

/** What is known of a customer when its company is looked for. */
export type CompanyEvidence = {
  name: string | null
  email: string | null
  kind: AddressKind
  /** Host of the address, lower case and in punycode; null without a usable address. */
  host: string | null
  /** Null where the domain says nothing of the company. */
  registrableDomain: string | null
  /** Whether customers of many names share the host, so that it says little of any of them. */
  isShared: boolean
  rule: DomainRule | null
  /** Companies of the contact that has this address, first or additional. */
  ofContact: readonly CompanyCandidate[]
  /** Which of them the CRM calls the contact's primary company. */
  primaryCompanyId?: string | null
  /** Companies that share the host or the registrable domain, or that we created for it. */
  byDomain: readonly CompanyCandidate[]
  /** Companies of the very name. */
  byName: readonly CompanyCandidate[]
}

export type CompanyDecision =
  | {
      state: 'linked'
      evidence: 'contact_email' | 'company_domain' | 'rule'
      company: CompanyCandidate
    }
  | { state: 'pending'; evidence: MatchEvidence; candidates: MatchCandidate[] }

/**
 * The ladder: what a person decided for the domain, then the contact's company, then the company of the very domain. One
 * candidate on the first step that has any is linked; several wait for a person, and so does a sister domain.
 */
export function decideCompany(evidence: CompanyEvidence): CompanyDecision {
  const { rule } = evidence
  const found = findCandidates(evidence)
  const pending = (reason: MatchEvidence): CompanyDecision => ({
    state: 'pending',
    evidence: reason,
    candidates: mergeCandidates(found),
  })
  if (rule?.kind === 'always') {
    return rule.company === null
      ? pending('company_gone')
      : { state: 'linked', evidence: 'rule', company: rule.company }
  }
  const byDomain = isDomainSilent(evidence) ? [] : [found.host]
  const contact = companiesOfContact(evidence, found)
  const step = [contact, ...byDomain].find((companies) => companies.length > 0)
  const [company] = step ?? []
  if (company === undefined) {
    const reason = reasonForNone(evidence, found)
    return pending(reason === 'no_candidate' && found.made.length > 0 ? 'company_changed' : reason)
  }
  if (step?.length !== 1) return pending('several_candidates')
  return { state: 'linked', evidence: step === contact ? 'contact_email' : 'company_domain', company }
}

type Found = Record<
  'primary' | 'contact' | 'host' | 'registrable' | 'made' | 'name',
  readonly CompanyCandidate[]
>

function findCandidates(evidence: CompanyEvidence): Found {
  const { host, registrableDomain, ofContact } = evidence
  const known = registrableDomain === null ? [] : evidence.byDomain
  const domain = host !== null && registrableDomain !== null ? ownDomain(host, registrableDomain) : null
  const isVery = (one: string) => registrableDomain !== null && ownDomain(one, registrableDomain) === domain
  return {
    primary: ofContact.length > 1 ? ofContact.filter((company) => isPrimary(evidence, company)) : [],
    contact: ofContact,
    host: known.filter(({ domains }) => domains.some(isVery)),
    registrable: known.filter(
      ({ registrableDomains }) =>
        registrableDomain !== null && registrableDomains.includes(registrableDomain),
    ),
    made: known.filter(({ createdFor }) => createdFor !== null && createdFor === registrableDomain),
    name: evidence.byName,
  }
}

/** Names of the machine that serves a domain's mail or pages. */
const machineLabel = /^(?:www|e?-?mail|webmail|smtp|mx|mailer)\d*\./

/** The domain that a host stands for: 'mail.acme.example' is acme.example, 'labs.acme.example' is a sister of it. */
export function ownDomain(host: string, registrableDomain: string): string {
  let domain = host
  while (domain.endsWith(`.${registrableDomain}`) && machineLabel.test(domain))
    domain = domain.slice(domain.indexOf('.') + 1)
  return domain
}

/** Whether the domain of the address may not decide: a person said so, or it belongs to nobody in particular. */
function isDomainSilent({ rule, isShared, kind }: CompanyEvidence): boolean {
  const tellsNothing = kind === 'personal' || kind === 'misspelled' || kind === 'invalid'
  return rule?.kind === 'never' || isShared || tellsNothing
}

/**
 * The contact's companies, as far as they are evidence. The CRM itself ties contacts to the company of their domain: where
 * that may not decide, such a company says nothing new. Of several, those on the very domain count, and the primary one.
 */
function companiesOfContact(evidence: CompanyEvidence, found: Found): readonly CompanyCandidate[] {
  const isOnDomain = (company: CompanyCandidate) => hasDomain(company, evidence)
  const primaryOf = (companies: readonly CompanyCandidate[]) =>
    companies.filter((company) => isPrimary(evidence, company))
  if (isDomainSilent(evidence) && found.contact.some(isOnDomain))
    return primaryOf(found.contact.filter((company) => !isOnDomain(company)))
  const here = found.contact.filter((company) => holds(found.host, company))
  const some = here.length > 0 ? here : found.contact
  if (some.length < 2) return some
  const isRivalled = here.length === 0 && found.registrable.length > 0
  const primary = isRivalled ? [] : primaryOf(some)
  return primary.length === 1 ? primary : found.contact
}

function hasDomain(
  { domains, registrableDomains }: CompanyCandidate,
  { host, registrableDomain }: CompanyEvidence,
): boolean {
  return (
    (host !== null && domains.includes(host)) ||
    (registrableDomain !== null && registrableDomains.includes(registrableDomain))
  )
}

function isPrimary({ primaryCompanyId }: CompanyEvidence, { recordId }: CompanyCandidate): boolean {
  return recordId === primaryCompanyId
}

function holds(companies: readonly CompanyCandidate[], { recordId }: CompanyCandidate): boolean {
  return companies.some((company) => company.recordId === recordId)
}

const ofUntellingKind = {
  none: 'no_email',
  invalid: 'invalid_email',
  misspelled: 'misspelled_email',
  personal: 'free_mail',
} as const

function reasonForNone({ kind, rule, isShared }: CompanyEvidence, found: Found): MatchEvidence {
  if (kind !== 'own' && kind !== 'doubtful') return ofUntellingKind[kind]
  if (rule?.kind === 'never') return 'never_rule'
  if (isShared) return 'shared_domain'
  if (found.registrable.length > 0) return 'related_domain'
  return kind === 'doubtful' ? 'doubtful_domain' : 'no_candidate'
}

const candidatesMax = 20

function mergeCandidates({ primary, contact, host, registrable, made, name }: Found): MatchCandidate[] {
  const merged = new Map<string, MatchCandidate>()
  const steps: [MatchReason, readonly CompanyCandidate[]][] = [
    ['contact_primary', primary],
    ['contact_email', contact],
    ['company_domain', host],
    ['company_registrable_domain', registrable.filter((company) => !holds(host, company))],
    ['created_for_domain', made.filter((company) => !holds(registrable, company))],
    ['same_name', name],
  ]
  for (const [reason, companies] of steps) {
    for (const company of companies) {
      const { recordId } = company
      const candidate = merged.get(recordId) ?? { recordId, name: company.name, reasons: [] }
      candidate.reasons.push(reason)
      merged.set(recordId, candidate)
    }
  }
  return [...merged.values()].slice(0, candidatesMax)
}
