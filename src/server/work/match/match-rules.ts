import type { Role } from '#domain/membership.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { decideMatches } from '../../store/matches/match-decisions.ts'
import {
  countOtherRules,
  deleteRule,
  listRulesOf,
  lockRules,
  saveRule,
} from '../../store/matches/match-rules.ts'
import {
  lockAttachedOfDomain,
  lockLinkedByDomain,
  lockWaitingOfDomain,
} from '../../store/matches/rule-matches.ts'
import { type DecidedMatch, writeMatches } from '../../store/matches/write-matches.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { hasRealEnding, readAddress, registrableDomainOf } from '../addresses/read-address.ts'
import { withCrm } from '../crm/with-crm.ts'
import { requireManager } from '../organization/require-manager.ts'
import { companyHost } from './domains.ts'
import { getPortal, type ReviewedCompany, type Reviewer } from './review/decide-each.ts'
import { findNewlyTied } from './review/own-ties.ts'
import { getCompany } from './review/search-companies.ts'

/** Far more domains than people decide about. */
const rulesMax = 10_000
export const neverDeed = 'make, replace or remove the rule that a domain is never matched'

/**
 * Remembers a company for a domain and links the customers that wait for it, and these `others`; returns their number.
 * The caller has locked the rules.
 */
export async function addRule(
  deps: Deps,
  tenant: Tenant,
  portalId: string,
  domain: string,
  company: ReviewedCompany,
  { by, decisionId }: { by: Reviewer; decisionId: string },
  others: readonly string[] = [],
): Promise<number> {
  const at = deps.now()
  await requireMayReplace(tenant, portalId, domain, by.role)
  await requireRoom(tenant, portalId, domain)
  await saveRule(tenant, portalId, { domain, company }, { by: by.userId, decisionId, at })
  const waiting = await lockWaitingOfDomain(tenant, portalId, domain)
  const decision = { id: decisionId, action: 'attached', by: by.userId, at } as const
  const linked = [...waiting, ...others].map(
    (customerId) => ({ customerId, state: 'linked', evidence: 'rule', company }) as const,
  )
  await decideMatches(tenant, portalId, decision, linked)
  return linked.length
}

export type DomainDecision = {
  domain: string
  /** How many customers it moved. */
  moved: number
  company: ReviewedCompany | null
  /** The customers that stay with the company of the rule before. */
  stayed: { count: number; companyName: string | null }
  /** Names the decision in its undo; null if it has none. */
  decisionId: string | null
}

const nobody = { count: 0, companyName: null }

/**
 * Makes a rule for the registrable domain of the text that a person typed. Customers that are with the company of the
 * rule before stay there, unless `movesAttached`.
 */
export async function decideDomain(
  deps: Deps,
  organizationId: number,
  rule: { domain: string; companyRecordId: string | null; movesAttached?: boolean },
  by: Reviewer,
): Promise<DomainDecision> {
  const domain = ruleDomain(rule.domain)
  const { companyRecordId, movesAttached = false } = rule
  if (companyRecordId === null) requireManager(by.role, neverDeed)
  if (companyRecordId !== null) {
    return withCrm(deps, organizationId, async ({ access }) => {
      const company = await getCompany(deps, organizationId, access, companyRecordId)
      return inOrganization(deps.database, organizationId, async (tenant) => {
        await lockRules(tenant)
        const { portalId } = access
        const former = await findFormer(tenant, portalId, domain, company)
        const made = { by, decisionId: deps.newId() }
        const others = movesAttached ? former.customerIds : []
        const moved = await addRule(deps, tenant, portalId, domain, company, made, others)
        const count = former.customerIds.length - others.length
        const stayed = { count, companyName: former.companyName }
        return { domain, moved, company, stayed, decisionId: null }
      })
    })
  }
  return inOrganization(deps.database, organizationId, async (tenant) => {
    await lockRules(tenant)
    const portalId = await getPortal(deps, tenant)
    await requireRoom(tenant, portalId, domain)
    const [former] = await listRulesOf(tenant, portalId, [domain])
    // No undo brings back a rule that was replaced.
    const decisionId = former === undefined ? deps.newId() : null
    const at = deps.now()
    // The same rule stays, with its undo.
    if (former?.kind !== 'never')
      await saveRule(tenant, portalId, { domain, company: null }, { by: by.userId, decisionId, at })
    const linked = await lockLinkedByDomain(tenant, portalId, domain)
    const tied = await findNewlyTied(
      tenant,
      portalId,
      linked.flatMap(({ customerId, evidence }) => (evidence === 'rule' ? [customerId] : [])),
    )
    const released = linked.map(({ customerId }): DecidedMatch => {
      const evidence = tied.has(customerId) ? 'choice_undone' : 'never_rule'
      return { customerId, state: 'pending', evidence, company: null }
    })
    if (decisionId === null) await writeMatches(tenant, portalId, released, at)
    else {
      const decision = { id: decisionId, action: 'unlinked', by: by.userId, at } as const
      await decideMatches(tenant, portalId, decision, released)
    }
    return { domain, moved: released.length, company: null, stayed: nobody, decisionId }
  })
}

/** The customers of a domain that are with the company of its rule, if that is not `company`. */
async function findFormer(tenant: Tenant, portalId: string, domain: string, company: ReviewedCompany) {
  const [rule] = await listRulesOf(tenant, portalId, [domain])
  if (rule === undefined || rule.companyRecordId === company.recordId)
    return { companyName: null, customerIds: [] }
  return {
    companyName: rule.companyName,
    customerIds: await lockAttachedOfDomain(tenant, portalId, domain),
  }
}

/** Deletes a rule. Customers that it linked stay linked; customers that it held back are matched again. */
export function removeRule(deps: Deps, organizationId: number, domain: string, by: Role): Promise<void> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    await lockRules(tenant)
    const portalId = await getPortal(deps, tenant)
    await requireMayReplace(tenant, portalId, domain, by)
    const isGone = await deleteRule(tenant, portalId, domain)
    if (!isGone) throw new Refusal('not_found', 'There is no rule for this domain. Reload the list.')
  })
}

/** A member that may not create a "never match" rule may not remove or replace one either. */
async function requireMayReplace(tenant: Tenant, portalId: string, domain: string, by: Role): Promise<void> {
  const [rule] = await listRulesOf(tenant, portalId, [domain])
  if (rule?.kind === 'never') requireManager(by, neverDeed)
}

/** The page lists all rules at once, so their number has an end. */
async function requireRoom(tenant: Tenant, portalId: string, domain: string): Promise<void> {
  if ((await countOtherRules(tenant, portalId, domain)) < rulesMax) return
  const most = rulesMax.toLocaleString('en-US')
  throw new Refusal('conflict', `There are ${most} rules for domains already. Remove some of them first.`)
}

function ruleDomain(text: string): string {
  const host = companyHost(text)
  if (host === null || !hasRealEnding(host) || registrableDomainOf(host) === null)
    throw new Refusal('invalid_request', 'domain: is not a domain.')
  const domain = readAddress(`anybody@${host}`).registrableDomain
  if (domain === null) {
    throw new Refusal(
      'invalid_request',
      `domain: ${host} is a personal mail provider, or close to the name of one, and never counts. Enter another.`,
    )
  }
  return domain
}
