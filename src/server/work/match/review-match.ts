// A decision in Match Review is one row. HubSpot follows with the associations of the next push, so no crash can lose half
// of a decision. Matches and rules belong to a portal; another portal is matched from the beginning.

import type { CompanyCandidate } from '#domain/company.ts'
import type { Role } from '#domain/membership.ts'
import type { Deps } from '../../deps.ts'
import type { CrmAccess } from '../../providers/crm-directory.ts'
import { Refusal } from '../../refusal.ts'
import { listContactsByEmail } from '../../store/crm/crm-index.ts'
import { findCurrentPortal } from '../../store/crm/current-portal.ts'
import {
  type DecidableMatch,
  decideMatch,
  findDecidable,
  type MatchDecision,
} from '../../store/matches/match-decisions.ts'
import { listRulesOf } from '../../store/matches/match-rules.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { readAddress } from '../addresses/read-address.ts'
import { withCrm } from '../crm/with-crm.ts'
import { keepCompanies } from '../erasure/keep-index.ts'
import { companyDomains } from './domains.ts'
import { candidateOf } from './index-rows.ts'
import { addRule } from './match-rules.ts'
import { getCompany } from './search-companies.ts'
import { tieLonely } from './tie-contacts.ts'

type Company = { recordId: string; name: string | null }
export type Reviewed = { message: string; company: Company | null }

/** Links a customer to a company that a person chose; with `remember`, all customers of its domain. */
export function linkCustomer(
  deps: Deps,
  organizationId: number,
  customerId: string,
  choice: { companyRecordId: string; remember: boolean; by: Role },
): Promise<Reviewed> {
  return withCrm(deps, organizationId, async ({ access }) => {
    const company = await getCompany(deps, organizationId, access, choice.companyRecordId)
    return inOrganization(deps.database, organizationId, (tenant) =>
      attach(deps, tenant, access.portalId, customerId, company, choice.remember ? choice.by : null),
    )
  })
}

/**
 * Creates a company for one customer and links it. A second click, or a retry after a crash, finds the first company
 * and does not change it.
 */
export function createCompanyFor(
  deps: Deps,
  organizationId: number,
  customerId: string,
  name: string,
): Promise<Reviewed> {
  return withCrm(deps, organizationId, async ({ access }) => {
    const { portalId } = access
    const { domain, contactId } = await inOrganization(deps.database, organizationId, (tenant) =>
      readForCompany(tenant, portalId, customerId),
    )
    await deps.crm.ensureCompanyKey(access)
    const { company, isFound } = await createOrFind(deps, access, customerId, { domain, name })
    if (contactId !== null) {
      const report = () =>
        deps.log.warn({ organizationId }, 'a contact was not tied to the company created for it')
      await tieLonely({ deps, access, report }, [{ customerId, contactId, companyId: company.recordId }])
    }
    return inOrganization(deps.database, organizationId, async (tenant) => {
      await keepCompanies(tenant, { deps, portalId, at: deps.now() }, [company])
      const reviewed = await attach(deps, tenant, portalId, customerId, company, null)
      if (!isFound) return reviewed
      const found = `${deps.crm.name} had a company that was created for this customer before; it was left as it is.`
      return { ...reviewed, message: `${found} ${reviewed.message}` }
    })
  })
}

/** How many companies we skip because people changed them into others. */
const companiesPassedMax = 20

/**
 * Uses a key made from the customer. If people turned the company with that key into another, it tries the next key;
 * repeated calls reach the same key.
 */
async function createOrFind(
  deps: Deps,
  access: CrmAccess,
  customerId: string,
  { domain, name }: { domain: string | null; name: string },
): Promise<{ company: CompanyCandidate; isFound: boolean }> {
  for (let number = 1; number <= companiesPassedMax; number++) {
    const key = number === 1 ? customerId : `${customerId}/${number}`
    const [made] = await deps.crm.createCompanies(access, [{ key, domain, name }])
    if (made?.state === 'created') {
      const domains = companyDomains({ domains: domain === null ? [] : [domain], website: null })
      return { company: { recordId: made.recordId, name, ...domains, createdFor: key }, isFound: false }
    }
    if (made?.state !== 'found') {
      const unsaid = `${deps.crm.name} did not say what became of the company. Please try again.`
      throw new Refusal('provider_refused', made?.message ?? unsaid)
    }
    const company = candidateOf(made.company)
    if (isStillOf(company, domain)) return { company, isFound: true }
  }
  throw new Refusal(
    'conflict',
    'Too many companies were created for this customer and became others since. Choose one of them.',
  )
}

function isStillOf({ registrableDomains }: CompanyCandidate, domain: string | null): boolean {
  return domain === null || registrableDomains.length === 0 || registrableDomains.includes(domain)
}

/** The customer's contact and the domain for its company. A shared domain is not used for a company. */
async function readForCompany(tenant: Tenant, portalId: string, customerId: string) {
  const { email, contactRecordId } = await getDecidable(tenant, portalId, customerId)
  const { email: address, registrableDomain: domain } = readAddress(email)
  const rules = domain === null ? [] : await listRulesOf(tenant, portalId, [domain])
  const [contact] = address === null ? [] : await listContactsByEmail(tenant, portalId, [address])
  return {
    domain: rules.some(({ kind }) => kind === 'never') ? null : domain,
    contactId: contactRecordId ?? contact?.recordId ?? null,
  }
}

async function attach(
  deps: Deps,
  tenant: Tenant,
  portalId: string,
  customerId: string,
  company: Company,
  /** The role that makes a rule for the customer's domain; null makes no rule. */
  ruleBy: Role | null,
): Promise<Reviewed> {
  const customer = await getDecidable(tenant, portalId, customerId)
  await decide(deps, tenant, portalId, customerId, { state: 'linked', evidence: 'person', company })
  const others =
    ruleBy === null ? 0 : await addRule(deps, tenant, portalId, domainFor(customer), company, ruleBy)
  const more = others === 0 ? '' : ` ${others} more of its domain ${others === 1 ? 'was' : 'were'} attached.`
  return { company, message: `Attached to ${company.name ?? 'the company'}.${more} ${followText(deps)}` }
}

function domainFor({ email }: DecidableMatch): string {
  const { registrableDomain } = readAddress(email)
  if (registrableDomain === null) {
    throw new Refusal(
      'conflict',
      'This customer has no domain of its own that could be remembered. Attach it alone.',
    )
  }
  return registrableDomain
}

function followText({ crm }: Deps): string {
  return `${crm.name} follows with the next sync.`
}

/** Unlinks a customer from its company. It then waits for a person, whatever later runs find. */
export function unlinkCustomer(deps: Deps, organizationId: number, customerId: string): Promise<Reviewed> {
  const decision = { state: 'pending', evidence: 'unlinked', company: null } as const
  return decideHere(deps, organizationId, customerId, 'linked', () => decision, 'Taken off the company.')
}

/** Leaves a customer out of the review and of the CRM's companies until a person restores it. */
export function ignoreCustomer(deps: Deps, organizationId: number, customerId: string): Promise<Reviewed> {
  return decideHere(deps, organizationId, customerId, 'pending', sameReason('ignored'), 'Ignored.')
}

/** Restores an ignored customer: it waits as it did before. */
export function restoreCustomer(deps: Deps, organizationId: number, customerId: string): Promise<Reviewed> {
  const said = 'Waits for review again.'
  return decideHere(deps, organizationId, customerId, 'ignored', sameReason('pending'), said)
}

function sameReason(state: 'ignored' | 'pending') {
  return ({ evidence }: DecidableMatch): MatchDecision => ({
    state,
    evidence: evidence ?? 'no_candidate',
    company: null,
  })
}

/** A decision that needs no CRM call; refused if the match is no longer in the expected state. */
function decideHere(
  deps: Deps,
  organizationId: number,
  customerId: string,
  from: DecidableMatch['state'],
  decisionOf: (match: DecidableMatch) => MatchDecision,
  said: string,
): Promise<Reviewed> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const portalId = await findCurrentPortal(tenant)
    if (portalId === null)
      throw new Refusal('not_connected', `${deps.crm.name} was never connected. Connect it first.`)
    const match = await getDecidable(tenant, portalId, customerId)
    if (match.state !== from)
      throw new Refusal('conflict', 'Somebody has changed this in the meantime. Look at it again.')
    await decide(deps, tenant, portalId, customerId, decisionOf(match))
    return { company: null, message: `${said} ${followText(deps)}` }
  })
}

async function getDecidable(tenant: Tenant, portalId: string, customerId: string): Promise<DecidableMatch> {
  const match = await findDecidable(tenant, portalId, customerId)
  if (!match) throw new Refusal('not_found', 'There is no such customer. Reload the list.')
  return match
}

async function decide(
  deps: Deps,
  tenant: Tenant,
  portalId: string,
  customerId: string,
  decision: MatchDecision,
): Promise<void> {
  await decideMatch(tenant, portalId, customerId, decision, deps.now())
}
