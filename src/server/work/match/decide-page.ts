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
import { type IndexedContact, listSharedHosts } from '../../store/crm-index.ts'
import { inOrganization } from '../../store/database.ts'
import { listRulesOf, type MatchRule } from '../../store/match-rules.ts'
import type { MatchRow, OpenCustomer } from '../../store/matches.ts'
import { type CustomerAddress, readAddress } from '../addresses/read-address.ts'
import { lookUpIndex } from './look-up-index.ts'
import type { MatchSession } from './session.ts'

/** A customer with what the index says of it, before anything is created. */
export type Draft = {
  customer: OpenCustomer
  email: string | null
  address: CustomerAddress
  match: MatchRow
}

type Known = Omit<Draft, 'match'>
type Found = {
  contacts: IndexedContact[]
  companies: CompanyCandidate[]
  rules: MatchRule[]
  shared: ReadonlySet<string>
}

/** From so many names on, a domain is taken for one that belongs to nobody in particular. */
const namesOfDomainMax = 10

/** Looks a page of customers up in the index. Companies that are decided stay; only what is open is filled in. */
export async function decidePage(
  session: MatchSession,
  customers: readonly OpenCustomer[],
): Promise<Draft[]> {
  const known = customers.map((customer): Known => {
    const address = readAddress(customer.email)
    return { customer, email: address.email, address }
  })
  const found = await lookUp(session, known)
  return known.map((one) => ({ ...one, match: matchOf(one, found) }))
}

const newMatch: Omit<MatchRow, 'customerId'> = {
  state: 'pending',
  evidence: 'no_candidate',
  companyRecordId: null,
  companyName: null,
  contactRecordId: null,
  candidates: [],
  contactProblem: null,
  contactProblemEmail: null,
  revision: 0,
}

function matchOf({ customer, email, address }: Known, found: Found): MatchRow {
  const before = customer.match ?? { ...newMatch, customerId: customer.customerId }
  const contact = found.contacts.find(({ emails }) => email !== null && emails.includes(email))
  const contactRecordId = before.contactRecordId ?? contact?.recordId ?? null
  const isProblemOver = contactRecordId !== null || before.contactProblemEmail !== email
  const match = {
    ...before,
    contactRecordId,
    ...(isProblemOver && { contactProblem: null, contactProblemEmail: null }),
  }
  if (before.state === 'linked') return match
  const name = nameKey(customer.name)
  const decision = decideCompany({
    name: customer.name,
    ...address,
    isShared: address.host !== null && found.shared.has(address.host),
    rule: ruleOf(address.registrableDomain, found),
    ofContact: found.companies.filter(({ recordId }) => contact?.companyRecordIds.includes(recordId)),
    byDomain: found.companies.filter((company) => sharesDomain(company, address)),
    byName: found.companies.filter((company) => name !== '' && nameKey(company.name) === name),
  })
  return { ...match, ...settled(before.evidence, decision) }
}

/** A decision as it is stored: what a person holds back stays open, and what is gone from the CRM is not made anew. */
function settled(
  before: MatchEvidence,
  decision: CompanyDecision,
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
  const isGone = before === 'company_gone' && decision.evidence === 'no_candidate'
  const evidence = isHeldForPerson(before) || isGone ? before : decision.evidence
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

function sharesDomain(company: CompanyCandidate, { host, registrableDomain }: CustomerAddress): boolean {
  return (
    (host !== null && company.domains.includes(host)) ||
    (registrableDomain !== null && company.registrableDomains.includes(registrableDomain))
  )
}

function lookUp({ deps, organizationId, access }: MatchSession, known: readonly Known[]): Promise<Found> {
  const addresses = known.map(({ address }) => address).filter((one) => one.registrableDomain !== null)
  const hosts = [...new Set(addresses.flatMap(({ host }) => host ?? []))]
  const domains = [...new Set(addresses.flatMap(({ registrableDomain }) => registrableDomain ?? []))]
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const rules = await listRulesOf(tenant, access.portalId, domains)
    const shared = await listSharedHosts(tenant, hosts, namesOfDomainMax)
    const { contacts, companies } = await lookUpIndex(tenant, access.portalId, {
      emails: [...new Set(known.flatMap(({ email }) => email ?? []))],
      domains: [...new Set([...hosts, ...domains])],
      names: [...new Set(known.map(({ customer }) => nameKey(customer.name)).filter(Boolean))],
      recordIds: rules.flatMap(({ companyRecordId }) => companyRecordId ?? []),
    })
    return { rules, shared, contacts, companies }
  })
}
