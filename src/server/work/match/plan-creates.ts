import { type MatchEvidence, ownDomain } from '#domain/company.ts'
import { realName } from '#domain/company-name.ts'
import type { CrmContactDraft } from '../../providers/crm.ts'
import type { Settings } from '../../store/settings.ts'
import type { Draft } from './decide-page.ts'

export type CreateSwitches = Pick<Settings, 'autoCreateCompanies' | 'autoCreateContacts'>

/** Whether a company would be created for the customer: nothing at all was found on a domain of its own. */
export function wantsCompany({ match, address }: Draft): boolean {
  return match.state === 'pending' && match.evidence === 'no_candidate' && address.registrableDomain !== null
}

/** What is left to a person: a contact would invite the CRM to choose or make the company of its domain. */
const leftToPerson: readonly MatchEvidence[] = ['several_candidates', 'related_domain', 'doubtful_domain']

/** Whether a contact would be created. One that was refused under this address is not tried again. */
export function wantsContact({ match, email, address }: Draft): boolean {
  if (email === null || address.kind === 'invalid' || match.contactRecordId !== null) return false
  const isLeft = match.state === 'pending' && leftToPerson.includes(match.evidence)
  return !isLeft && match.contactProblemEmail !== email
}

/** A company to create, and the domain below or at it whose customers are attached to it. */
type CompanyPlan = { domain: string; name: string; ofDomain: string }

/**
 * Companies to create, one for each registrable domain: for the customers of that very domain, else for those of the
 * first subdomain. Sister domains wait. It is named after the first of its customers that has a name.
 */
export function planCompanies(drafts: readonly Draft[]): CompanyPlan[] {
  const plans = new Map<string, CompanyPlan>()
  for (const draft of drafts) {
    const { registrableDomain: domain } = draft.address
    const ofDomain = ownDomainOf(draft)
    if (domain === null || ofDomain === null || !wantsCompany(draft)) continue
    const plan = plans.get(domain)
    if (plan === undefined || (plan.ofDomain !== domain && ofDomain === domain))
      plans.set(domain, { domain, ofDomain, name: realName(draft.customer.name) ?? domain })
    else if (plan.name === domain && plan.ofDomain === ofDomain)
      plan.name = realName(draft.customer.name) ?? domain
  }
  return [...plans.values()]
}

/** The domain that the customer's address stands for. */
export function ownDomainOf({ address: { host, registrableDomain } }: Draft): string | null {
  return host === null || registrableDomain === null ? null : ownDomain(host, registrableDomain)
}

/** Contacts to create, one for each address, with the company of the first customer that has one. */
export function planContacts(drafts: readonly Draft[]): CrmContactDraft[] {
  const companies = new Map<string, string | null>()
  for (const draft of drafts) {
    if (draft.email === null || !wantsContact(draft)) continue
    companies.set(draft.email, companies.get(draft.email) ?? draft.match.companyRecordId)
  }
  return [...companies].map(([email, companyRecordId]) => ({ email, companyRecordId }))
}
