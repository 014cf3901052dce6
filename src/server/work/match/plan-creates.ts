import { type MatchEvidence, ownDomain } from '#domain/company.ts'
import { companyBaseName, realName } from '#domain/company-name.ts'
import type { CrmContactDraft } from '../../providers/crm.ts'
import type { OrganizationSettings } from '../../store/setup/settings.ts'
import type { Draft } from './decide-page.ts'

export type CreateSwitches = Pick<OrganizationSettings, 'autoCreateCompanies' | 'autoCreateContacts'>

/** Whether to create a company for the customer: it has a domain of its own and nothing was found. */
export function wantsCompany({ match, address }: Draft): boolean {
  return match.state === 'pending' && match.evidence === 'no_candidate' && address.registrableDomain !== null
}

/** A person decides these, because a new contact could make the CRM choose or create a company for its domain. */
const leftToPerson: readonly MatchEvidence[] = [
  'several_candidates',
  'related_domain',
  'same_name',
  'doubtful_domain',
  'company_changed',
]

/** Whether to create a contact. We do not retry one that was refused under this address or that somebody deleted. */
export function wantsContact({ match, email, address, isContactDeleted }: Draft): boolean {
  if (email === null || address.kind === 'invalid') return false
  if (match.contactRecordId !== null || isContactDeleted) return false
  return !leftToPerson.includes(match.evidence) && match.contactProblemEmail !== email
}

/**
 * When sister domains are new together, only the main domain (or else the first) may get a company. A person decides
 * whether the others belong to it.
 */
export function leaveSisters(drafts: readonly Draft[]): Draft[] {
  const chosen = new Map<string | null, string | null>()
  for (const draft of drafts.filter(wantsCompany)) {
    const { registrableDomain } = draft.address
    const own = ownDomainOf(draft)
    if (!chosen.has(registrableDomain) || own === registrableDomain) chosen.set(registrableDomain, own)
  }
  return drafts.map((draft) =>
    !wantsCompany(draft) || chosen.get(draft.address.registrableDomain) === ownDomainOf(draft)
      ? draft
      : { ...draft, match: { ...draft.match, evidence: 'related_domain' } },
  )
}

function ownDomainOf({ address: { host, registrableDomain } }: Draft): string | null {
  return host === null || registrableDomain === null ? null : ownDomain(host, registrableDomain)
}

/** Companies to create: one for each domain. */
export function planCompanies(drafts: readonly Draft[]): { domain: string; name: string }[] {
  const names = new Map<string, string[]>()
  for (const draft of drafts) {
    const domain = draft.address.registrableDomain
    if (domain === null || !wantsCompany(draft)) continue
    const name = realName(draft.customer.name)
    names.set(domain, [...(names.get(domain) ?? []), ...(name === null ? [] : [name])])
  }
  return [...names].map(([domain, some]) => ({ domain, name: nameOf(domain, some) }))
}

/**
 * The first customer's name. Customers of several names are perhaps the clients of an agency that pays for them: then only
 * a name that resembles the domain is the company's.
 */
function nameOf(domain: string, names: readonly string[]): string {
  const isOne = new Set(names.map(companyBaseName)).size === 1
  const label = lettersOf(domain.split('.')[0] ?? '')
  const resembles = (name: string) => {
    const letters = lettersOf(companyBaseName(name))
    const isPart = (part: string, whole: string) => part.length >= resemblingMin && whole.includes(part)
    return letters === label || isPart(label, letters) || isPart(letters, label)
  }
  return (isOne ? names[0] : names.find(resembles)) ?? domain
}

/** Shorter names and domains are in others by chance. */
const resemblingMin = 4

/** Letters and digits in lower case, without accents. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** Contacts to create: one for each address, with the company of its first customer that has one. */
export function planContacts(drafts: readonly Draft[]): CrmContactDraft[] {
  const companies = new Map<string, string | null>()
  for (const draft of drafts) {
    if (draft.email === null || !wantsContact(draft)) continue
    companies.set(draft.email, companies.get(draft.email) ?? draft.match.companyRecordId)
  }
  return [...companies].map(([email, companyRecordId]) => ({ email, companyRecordId }))
}
