import type { Deps } from '../deps.ts'
import { Refusal } from '../refusal.ts'
import { findCurrentPortal } from '../store/current-portal.ts'
import { inOrganization, type Tenant } from '../store/database.ts'
import {
  type DecidableMatch,
  decideMatch,
  findDecidable,
  type MatchDecision,
} from '../store/match-decisions.ts'
import { readAddress } from './addresses/read-address.ts'
import { withCrm } from './crm/with-crm.ts'
import { keepCompanies } from './erasure/keep-index.ts'
import { getCompany } from './match/search-companies.ts'
import { addRule } from './match-rules.ts'

type Company = { recordId: string; name: string | null }
export type Reviewed = { message: string; company: Company | null }

/** Attaches a customer to a company that a person chose; with `remember` all customers of its domain. */
export function linkCustomer(
  deps: Deps,
  organizationId: number,
  customerId: string,
  choice: { companyRecordId: string; remember: boolean },
): Promise<Reviewed> {
  return withCrm(deps, organizationId, async ({ access }) => {
    const company = await getCompany(deps, organizationId, access, choice.companyRecordId)
    return inOrganization(deps.database, organizationId, (tenant) =>
      attach(deps, tenant, access.portalId, customerId, { company, remember: choice.remember }),
    )
  })
}

/**
 * Creates a company for one customer and attaches it. The company is created under a key of the customer, so that a
 * second press, or one after a crash in between, finds the first company.
 */
export function createCompanyFor(
  deps: Deps,
  organizationId: number,
  customerId: string,
  name: string,
): Promise<Reviewed> {
  return withCrm(deps, organizationId, async ({ access }) => {
    const { portalId } = access
    const customer = await inOrganization(deps.database, organizationId, (tenant) =>
      getDecidable(tenant, portalId, customerId),
    )
    const domain = readAddress(customer.email).registrableDomain
    await deps.crm.ensureCompanyKey(access)
    const [created] = await deps.crm.upsertCompanies(access, [{ key: customerId, domain, name }])
    if (created?.state !== 'written') {
      const unsaid = `${deps.crm.name} did not say what became of the company. Please try again.`
      throw new Refusal('provider_refused', created?.message ?? unsaid)
    }
    const domains = domain === null ? [] : [domain]
    const company = { recordId: created.recordId, name, domains, registrableDomains: domains }
    return inOrganization(deps.database, organizationId, async (tenant) => {
      await keepCompanies(tenant, { deps, portalId, at: deps.now() }, [company])
      return attach(deps, tenant, portalId, customerId, { company, remember: false })
    })
  })
}

async function attach(
  deps: Deps,
  tenant: Tenant,
  portalId: string,
  customerId: string,
  { company, remember }: { company: Company; remember: boolean },
): Promise<Reviewed> {
  const customer = await getDecidable(tenant, portalId, customerId)
  await decide(deps, tenant, portalId, customerId, { state: 'linked', evidence: 'person', company })
  const others = remember ? await addRule(deps, tenant, portalId, domainFor(customer), company) : 0
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

/** Takes a customer off its company. It waits for a person then, whatever a run may find. */
export function unlinkCustomer(deps: Deps, organizationId: number, customerId: string): Promise<Reviewed> {
  const decision = { state: 'pending', evidence: 'unlinked', company: null } as const
  return decideHere(deps, organizationId, customerId, 'linked', () => decision, 'Taken off the company.')
}

/** Leaves a customer out of the review and of the CRM's companies, until that is taken back. */
export function ignoreCustomer(deps: Deps, organizationId: number, customerId: string): Promise<Reviewed> {
  return decideHere(deps, organizationId, customerId, 'pending', sameReason('ignored'), 'Ignored.')
}

/** Takes back that a customer is ignored: it waits again as it did before. */
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

/** A decision that needs nothing of the CRM, refused where the match is not in the state it starts from. */
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
