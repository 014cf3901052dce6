import type { CompanyCandidate } from '#domain/company.ts'
import {
  type IndexedContact,
  listCandidateCompanies,
  listContactsByEmail,
} from '../../store/crm/crm-index.ts'
import type { Tenant } from '../../store/postgres/database.ts'

/** Contacts by their addresses; companies by domain, name or id, and those of the contacts. */
export async function lookUpIndex(
  tenant: Tenant,
  portalId: string,
  wanted: { emails: string[]; domains: string[]; names: string[]; recordIds: string[] },
): Promise<{ contacts: IndexedContact[]; companies: CompanyCandidate[] }> {
  const contacts = await listContactsByEmail(tenant, portalId, wanted.emails)
  const ofContacts = contacts.flatMap(({ companyRecordIds }) => companyRecordIds)
  const companies = await listCandidateCompanies(tenant, portalId, {
    domains: wanted.domains,
    names: wanted.names,
    recordIds: [...new Set([...wanted.recordIds, ...ofContacts])],
  })
  return { contacts, companies }
}
