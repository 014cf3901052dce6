import { type MatchEvidence, ownDomain } from '#domain/company.ts'
import { realName } from '#domain/company-name.ts'
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

/** Companies to create: one for each domain, named after its first customer that has a name. */
export function planCompanies(drafts: readonly Draft[]): { domain: string; name: string }[] {
  const names = new Map<string, string | null>()
  for (const draft of drafts) {
    const domain = draft.address.registrableDomain
    if (domain === null || !wantsCompany(draft)) continue
    names.set(domain, names.get(domain) ?? realName(draft.customer.name))
  }
  return [...names].map(([domain, name]) => ({ domain, name: name ?? domain }))
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
