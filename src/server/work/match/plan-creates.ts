import type { CrmContactDraft } from '../../providers/crm.ts'
import type { Settings } from '../../store/settings.ts'
import type { Draft } from './decide-page.ts'

export type CreateSwitches = Pick<Settings, 'autoCreateCompanies' | 'autoCreateContacts'>

/** Whether a company would be created for the customer: nothing at all was found on a domain of its own. */
export function wantsCompany({ match, address }: Draft): boolean {
  return match.state === 'pending' && match.evidence === 'no_candidate' && address.registrableDomain !== null
}

/**
 * Whether a contact would be created. Where a person has to choose a company, a contact would invite the CRM to choose
 * or make one. One that was refused under this address, or deleted by somebody, is not tried again.
 */
export function wantsContact({ match, email, isContactDeleted }: Draft): boolean {
  if (email === null || match.contactRecordId !== null || isContactDeleted) return false
  const isChoice = match.evidence === 'several_candidates' || match.evidence === 'company_changed'
  return !isChoice && match.contactProblemEmail !== email
}

/** Companies to create, one for each domain, named after its first customer. */
export function planCompanies(drafts: readonly Draft[]): { domain: string; name: string }[] {
  const names = new Map<string, string>()
  for (const draft of drafts) {
    const domain = draft.address.registrableDomain
    if (domain === null || !wantsCompany(draft) || names.has(domain)) continue
    names.set(domain, draft.customer.name?.trim() || domain)
  }
  return [...names].map(([domain, name]) => ({ domain, name }))
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
