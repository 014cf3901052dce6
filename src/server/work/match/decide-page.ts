import {
  type CompanyCandidate,
  type CompanyDecision,
  type DomainRule,
  decideCompany,
  isHeldForPerson,
  type MatchEvidence,
  type MatchReason,
} from '#domain/company.ts'
import { realName } from '#domain/company-name.ts'
import { canonicalEmail } from '../../email-address.ts'
import { listDeleted } from '../../store/crm/crm-deleted.ts'
import { type IndexedContact, listSharedHosts } from '../../store/crm/crm-index.ts'
import { listRulesOf, type MatchRule } from '../../store/matches/match-rules.ts'
import type { MatchRow, OpenCustomer } from '../../store/matches/matches.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { isKnownProvider } from '../addresses/mail-providers.ts'
import { type CustomerAddress, readAddress } from '../addresses/read-address.ts'
import { contactGone } from './gone-texts.ts'
import { lookUpIndex } from './look-up-index.ts'
import type { MatchSession } from './session.ts'

/** A customer with what the index knows about it, before anything is created. */
export type Draft = {
  customer: OpenCustomer
  email: string | null
  address: CustomerAddress
  match: MatchRow
  /** Whether we created its company for its domain, in this run or in one that was interrupted. */
  isCompanyOurs: boolean
  /** Whether somebody deleted a contact with this address. */
  isContactDeleted: boolean
}

type Known = Pick<Draft, 'customer' | 'email' | 'address'>
type Found = {
  contacts: IndexedContact[]
  companies: CompanyCandidate[]
  rules: MatchRule[]
  shared: ReadonlySet<string>
  /** Domains and addresses whose company or contact somebody deleted. */
  deletedDomains: ReadonlySet<string>
  deletedEmails: ReadonlySet<string>
}

/** With more customer names than this, we assume that a domain does not belong to one company. */
const namesOfDomainMax = 10

/** Looks up a page of customers in the index. Fills in only what is still open; decided companies stay. */
export async function decidePage(
  session: MatchSession,
  customers: readonly OpenCustomer[],
): Promise<Draft[]> {
  const known = customers.map((customer): Known => {
    const address = readAddress(customer.email)
    return { customer, email: address.email, address }
  })
  const found = await lookUp(session, known)
  return known.map((one) => draftOf(session, one, found))
}

const newMatch: Omit<MatchRow, 'customerId'> = {
  state: 'pending',
  evidence: 'no_candidate',
  companyRecordId: null,
  companyName: null,
  contactRecordId: null,
  contactFor: null,
  candidates: [],
  contactProblem: null,
  contactProblemEmail: null,
  revision: 0,
}

function draftOf(session: MatchSession, known: Known, found: Found): Draft {
  const { customer, email, address } = known
  const before = customer.match ?? { ...newMatch, customerId: customer.customerId }
  const contact = found.contacts.find(({ emails }) => email !== null && emails.includes(email))
  const isContactDeleted = email !== null && contact === undefined && found.deletedEmails.has(email)
  const match = withContact(session, known, before, contact, isContactDeleted)
  if (before.state === 'linked') return { ...known, match, isCompanyOurs: false, isContactDeleted }
  const name = nameKey(customer.name)
  const decision = decideCompany({
    name: customer.name,
    ...address,
    isShared: address.host !== null && found.shared.has(address.host),
    rule: ruleOf(address.registrableDomain, found),
    ofContact: found.companies.filter(
      (company) => contact?.companyRecordIds.includes(company.recordId) && !isOfProvider(company),
    ),
    primaryCompanyId: contact?.primaryCompanyId ?? null,
    byDomain: found.companies.filter((company) => sharesDomain(company, address)),
    byName: found.companies.filter((company) => name !== '' && nameKey(company.name) === name),
  })
  const isCompanyDeleted = domainsOf(address).some((domain) => found.deletedDomains.has(domain))
  const isOurs = decision.state === 'linked' && isMadeFor(decision.company, address)
  return {
    ...known,
    match: { ...match, ...settled(before.evidence, decision, isCompanyDeleted) },
    isCompanyOurs: isOurs && !isHeldForPerson(before.evidence),
    isContactDeleted,
  }
}

/** We never create a contact again after somebody deleted it, for any customer. */
function withContact(
  { deps }: MatchSession,
  known: Known,
  before: MatchRow,
  contact: IndexedContact | undefined,
  isDeleted: boolean,
): MatchRow {
  const { customer, email } = known
  const contactRecordId = followAddress(known, before, contact?.recordId ?? null)
  const match = {
    ...before,
    contactRecordId,
    contactFor: email === null ? before.contactFor : customer.email,
  }
  if (contactRecordId === null && isDeleted)
    return { ...match, contactProblem: contactGone(deps), contactProblemEmail: email }
  if (contactRecordId === null && isAddress(before.contactProblemEmail, email))
    return { ...match, contactProblemEmail: email }
  return { ...match, contactProblem: null, contactProblemEmail: null }
}

/** Whether a text of the payment provider is the address, in whatever spelling. */
function isAddress(text: string | null, email: string | null): boolean {
  return text !== null && email !== null && canonicalEmail(text) === email
}

/**
 * The contact follows the customer's current address. Without a usable address we cannot know that it is another
 * person. If the address did not change, the contact stays, even if people edited it.
 */
function followAddress({ email }: Known, before: MatchRow, found: string | null): string | null {
  const { contactRecordId, contactFor } = before
  if (email === null) return contactRecordId
  if (contactFor === null) return found ?? contactRecordId
  return isAddress(contactFor, email) ? (contactRecordId ?? found) : found
}

/** A decision as it is stored: it stays open if a person holds it back, and a deleted record is not created again. */
function settled(
  before: MatchEvidence,
  decision: CompanyDecision,
  isDeleted: boolean,
): Pick<MatchRow, 'state' | 'evidence' | 'companyRecordId' | 'companyName' | 'candidates'> {
  if (decision.state === 'linked' && !isHeldForPerson(before)) {
    const { recordId, name } = decision.company
    const { evidence } = decision
    return { state: 'linked', evidence, companyRecordId: recordId, companyName: name, candidates: [] }
  }
  const candidates =
    decision.state === 'pending'
      ? decision.candidates
      : [{ recordId: decision.company.recordId, name: decision.company.name, reasons: [reasonOf(decision)] }]
  const isGone = (isDeleted || before === 'company_gone') && decision.evidence === 'no_candidate'
  const evidence = isHeldForPerson(before) ? before : isGone ? 'company_gone' : decision.evidence
  return { state: 'pending', evidence, companyRecordId: null, companyName: null, candidates }
}

function reasonOf({ evidence }: Extract<CompanyDecision, { state: 'linked' }>): MatchReason {
  return evidence === 'contact_email' ? 'contact_email' : 'company_domain'
}

const nameKey = (name: string | null) => realName(name)?.toLowerCase() ?? ''

function ruleOf(domain: string | null, { rules, companies }: Found): DomainRule | null {
  const rule = rules.find((one) => one.domain === domain)
  if (rule === undefined) return null
  if (rule.kind === 'never') return { kind: 'never' }
  const company = companies.find(({ recordId }) => recordId === rule.companyRecordId) ?? null
  return { kind: 'always', company }
}

function sharesDomain(company: CompanyCandidate, address: CustomerAddress): boolean {
  const { host, registrableDomain } = address
  return (
    isMadeFor(company, address) ||
    (host !== null && company.domains.includes(host)) ||
    (registrableDomain !== null && company.registrableDomains.includes(registrableDomain))
  )
}

/** Imports tie contacts to a company such as 'gmail.com', which is nobody's. */
export function isOfProvider({ domains }: CompanyCandidate): boolean {
  return domains.length > 0 && domains.every(isKnownProvider)
}

/** Whether we created a company for the domain, even if people changed it since. */
function isMadeFor({ createdFor }: CompanyCandidate, { registrableDomain }: CustomerAddress): boolean {
  return registrableDomain !== null && createdFor === registrableDomain
}

function domainsOf({ host, registrableDomain }: CustomerAddress): string[] {
  return [host, registrableDomain].filter((domain) => domain !== null)
}

function lookUp({ deps, organizationId, access }: MatchSession, known: readonly Known[]): Promise<Found> {
  const addresses = known.map(({ address }) => address).filter((one) => one.registrableDomain !== null)
  const hosts = [...new Set(addresses.flatMap(({ host }) => host ?? []))]
  const domains = [...new Set(addresses.flatMap(({ registrableDomain }) => registrableDomain ?? []))]
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const rules = await listRulesOf(tenant, access.portalId, domains)
    const shared = await listSharedHosts(tenant, hosts, namesOfDomainMax)
    const emails = [...new Set(known.flatMap(({ email }) => email ?? []))]
    const allDomains = [...new Set([...hosts, ...domains])]
    const { contacts, companies } = await lookUpIndex(tenant, access.portalId, {
      emails,
      domains: allDomains,
      names: [...new Set(known.map(({ customer }) => nameKey(customer.name)).filter(Boolean))],
      recordIds: rules.flatMap(({ companyRecordId }) => companyRecordId ?? []),
    })
    const deletedDomains = await listDeleted(tenant, access.portalId, 'company', allDomains)
    const deletedEmails = await listDeleted(tenant, access.portalId, 'contact', emails)
    return { rules, shared, contacts, companies, deletedDomains, deletedEmails }
  })
}
