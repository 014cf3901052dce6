/** What tells a company from others of its name; null where the CRM does not say. */
export type CompanyFacts = {
  createdAt: Date | null
  contactCount: number | null
  dealCount: number | null
  /** When a call, an email, a note or the like was last logged for it. */
  lastActivityAt: Date | null
}

export const noCompanyFacts: CompanyFacts = {
  createdAt: null,
  contactCount: null,
  dealCount: null,
  lastActivityAt: null,
}

/** A company of the CRM as a candidate for a customer. */
export type CompanyCandidate = {
  recordId: string
  name: string | null
  /** Hosts that the company's record names. */
  domains: readonly string[]
  registrableDomains: readonly string[]
  /** The key under which we created the company: a domain or a customer; null when we did not create it. */
  createdFor?: string | null
  /** Absent for a company that we have not read since we created it. */
  facts?: CompanyFacts
}

/** Why a candidate was considered, strongest reason first. A name alone never links. */
export const matchReasons = [
  'contact_primary',
  'contact_email',
  'company_domain',
  'company_registrable_domain',
  'created_for_domain',
  'same_name',
] as const
export type MatchReason = (typeof matchReasons)[number]

/** How a match was decided; the values of matches.evidence. */
export const matchEvidences = [
  'contact_email',
  'company_domain',
  'created',
  'person',
  'rule',
  'no_candidate',
  'several_candidates',
  'related_domain',
  'same_name',
  'doubtful_domain',
  'free_mail',
  'misspelled_email',
  'no_email',
  'invalid_email',
  'shared_domain',
  'never_rule',
  'unlinked',
  'choice_undone',
  'creation_undone',
  'company_changed',
  'company_gone',
  'choice_gone',
] as const
export type MatchEvidence = (typeof matchEvidences)[number]

/**
 * A person called the company wrong, took back its choice or creation, or the company that a person chose was deleted:
 * only a person may link again, or restore that company.
 */
export const heldEvidences: readonly MatchEvidence[] = [
  'unlinked',
  'choice_undone',
  'creation_undone',
  'choice_gone',
]

/** Whether only a person may link the customer again. */
export function isHeldForPerson(evidence: MatchEvidence): boolean {
  return heldEvidences.includes(evidence)
}

export const matchStates = ['linked', 'pending', 'ignored'] as const
export type MatchState = (typeof matchStates)[number]

/** What a person decided about a customer. */
export const decisionActions = ['attached', 'created', 'ignored', 'unlinked', 'restored'] as const
export type DecisionAction = (typeof decisionActions)[number]

export type MatchCandidate = { recordId: string; name: string | null; reasons: MatchReason[] }

/** What a person decided for all customers of a domain; `company` is null once it was deleted from the CRM. */
export type DomainRule = { kind: 'never' } | { kind: 'always'; company: CompanyCandidate | null }

/**
 * How far a customer's address identifies its company. `own`: a domain with one owner. `doubtful`: perhaps a mail
 * provider's, so we create no company for it. `personal`, `misspelled` (a well-known provider) and `invalid` identify
 * nothing.
 */
export type AddressKind = 'own' | 'doubtful' | 'personal' | 'misspelled' | 'invalid' | 'none'

/** What we know of a customer when we look for its company. */
export type CompanyEvidence = {
  name: string | null
  email: string | null
  kind: AddressKind
  /** Host of the address, in lower case and punycode; null without a usable address. */
  host: string | null
  /** Null when the domain does not identify a company. */
  registrableDomain: string | null
  /** Whether customers with many different names share the host, which makes it weak evidence for each of them. */
  isShared: boolean
  rule: DomainRule | null
  /** Companies of the CRM contact that has this address as its first or an additional one. */
  ofContact: readonly CompanyCandidate[]
  /** The one of these that the CRM calls the contact's primary company. */
  primaryCompanyId?: string | null
  /** Companies that share the host or the registrable domain, or that we created for it. */
  byDomain: readonly CompanyCandidate[]
  /** Companies with exactly the same name. */
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
 * The order of evidence: a person's decision for the domain, the contact's company, the company of the exact domain. One
 * candidate at the first step that finds any is linked. Several, or a sister domain, wait for a person.
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
  const isOwnDomain = (one: string) =>
    registrableDomain !== null && ownDomain(one, registrableDomain) === domain
  return {
    primary: ofContact.length > 1 ? ofContact.filter((company) => isPrimary(evidence, company)) : [],
    contact: ofContact,
    host: known.filter(({ domains }) => domains.some(isOwnDomain)),
    registrable: known.filter(
      ({ registrableDomains }) =>
        registrableDomain !== null && registrableDomains.includes(registrableDomain),
    ),
    made: known.filter(({ createdFor }) => createdFor !== null && createdFor === registrableDomain),
    name: evidence.byName.toSorted((one, other) => Number(hasOwn(one)) - Number(hasOwn(other))),
  }
}

/** Whether the company's record names a domain. */
function hasOwn({ domains }: CompanyCandidate): boolean {
  return domains.length > 0
}

/** Labels of machines that serve a domain's mail or pages. */
const machineLabel = /^(?:www|e?-?mail|webmail|smtp|mx|mailer)\d*\./

/**
 * The domain that a host belongs to: 'mail.acme.example' belongs to acme.example, 'labs.acme.example' is a sister of it.
 */
export function ownDomain(host: string, registrableDomain: string): string {
  let domain = host
  while (domain.endsWith(`.${registrableDomain}`) && machineLabel.test(domain))
    domain = domain.slice(domain.indexOf('.') + 1)
  return domain
}

/** Whether the address's domain may not decide: a person said so, or the domain has no single owner. */
function isDomainSilent({ rule, isShared, kind }: CompanyEvidence): boolean {
  const tellsNothing = kind === 'personal' || kind === 'misspelled' || kind === 'invalid'
  return rule?.kind === 'never' || isShared || tellsNothing
}

/**
 * The contact's companies that count as evidence. The CRM itself links contacts to the company of their domain, so such a
 * company adds nothing when the domain may not decide. Among several, exact domains and the primary company count.
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
  // Nothing contradicts that this is the company, so another one may be its double.
  if (found.name.some((company) => !hasOwn(company))) return 'same_name'
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
