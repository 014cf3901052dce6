import type { CompanyCandidate } from '#domain/company.ts'
import {
  type IndexedContact,
  listCandidateCompanies,
  listContactsByEmail,
} from '../../store/crm/crm-index.ts'
import type { Tenant } from '../../store/postgres/database.ts'

/** Finds contacts by address, and companies by domain, name, id or contact. */
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
