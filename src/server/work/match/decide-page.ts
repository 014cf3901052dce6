import { type CompanyCandidate, decideCompany, normalizeEmail } from '#domain/company.ts'
import { listCandidateCompanies, listContactsByEmail } from '../../store/crm-index.ts'
import { inOrganization } from '../../store/database.ts'
import type { MatchRow, OpenCustomer } from '../../store/matches.ts'
import { type AddressDomain, domainOfAddress } from './domains.ts'
import type { MatchSession } from './session.ts'

/** A customer with what the index says of it, before anything is created. */
export type Draft = {
  customer: OpenCustomer
  email: string | null
  address: AddressDomain
  match: MatchRow
}

/** Looks a page of customers up in the index. Companies that are decided stay; only what is open is filled in. */
export async function decidePage(
  session: MatchSession,
  customers: readonly OpenCustomer[],
): Promise<Draft[]> {
  const known = customers.map((customer) => {
    const email = normalizeEmail(customer.email)
    return { customer, email, address: domainOfAddress(email) }
  })
  const { contacts, companies } = await lookUp(session, known)
  return known.map(({ customer, email, address }) => {
    const contact = contacts.find(({ emails }) => email !== null && emails.includes(email))
    const contactRecordId = customer.match?.contactRecordId ?? contact?.recordId ?? null
    if (customer.match?.state === 'linked') {
      const { customerId } = customer
      return {
        customer,
        email,
        address,
        match: { ...customer.match, customerId, candidates: [], contactRecordId },
      }
    }
    const decision = decideCompany({
      email,
      ...address,
      ofContact: companies.filter(({ recordId }) => contact?.companyRecordIds.includes(recordId)),
      byDomain: companies.filter((company) => sharesDomain(company, address)),
    })
    const isLinked = decision.state === 'linked'
    return {
      customer,
      email,
      address,
      match: {
        customerId: customer.customerId,
        state: decision.state,
        evidence: decision.evidence,
        companyRecordId: isLinked ? decision.company.recordId : null,
        companyName: isLinked ? decision.company.name : null,
        contactRecordId,
        candidates: isLinked ? [] : decision.candidates,
      },
    }
  })
}

function sharesDomain(company: CompanyCandidate, { host, registrableDomain }: AddressDomain): boolean {
  return (
    (host !== null && company.domains.includes(host)) ||
    (registrableDomain !== null && company.registrableDomains.includes(registrableDomain))
  )
}

function lookUp(
  { deps, organizationId, access }: MatchSession,
  known: readonly { email: string | null; address: AddressDomain }[],
) {
  const emails = [...new Set(known.flatMap(({ email }) => email ?? []))]
  const domains = known.flatMap(({ address }) =>
    address.isFreeMail ? [] : [address.host, address.registrableDomain].filter((domain) => domain !== null),
  )
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const contacts = await listContactsByEmail(tenant, access.portalId, emails)
    const companies = await listCandidateCompanies(tenant, access.portalId, {
      domains: [...new Set(domains)],
      recordIds: [...new Set(contacts.flatMap(({ companyRecordIds }) => companyRecordIds))],
    })
    return { contacts, companies }
  })
}
