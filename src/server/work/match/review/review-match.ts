// A decision in Match Review is one row. The CRM follows with the associations of the next push, so no crash can lose half
// of a decision. Matches and rules belong to a portal; another portal is matched from the beginning.

import type { Deps } from '../../../deps.ts'
import { Refusal } from '../../../refusal.ts'
import type { DecidableMatch } from '../../../store/matches/match-decisions.ts'
import { lockRules } from '../../../store/matches/match-rules.ts'
import { inOrganization, type Tenant } from '../../../store/postgres/database.ts'
import { readAddress } from '../../addresses/read-address.ts'
import { withCrm } from '../../crm/with-crm.ts'
import { addRule } from '../match-rules.ts'
import { createCompaniesFor } from './create-for-customers.ts'
import {
  changedMeanwhile,
  decideEach,
  getPortal,
  isAsSeen,
  type Reviewed,
  type ReviewedCompany,
  type Reviewer,
  unknownCustomer,
} from './decide-each.ts'
import { getCompany } from './search-companies.ts'

/** What became of the one customer that was decided about. */
export type ReviewedOne = { decisionId: string; message: string; company: ReviewedCompany | null }

/** A person, and the match as it was shown where they decided. */
type Decider = { by: Reviewer; seen?: string | undefined }

/**
 * Links a customer to a company that a person chose; with `remember`, all customers of its domain. Refused if the match is
 * no longer as the person saw it.
 */
export function linkCustomer(
  deps: Deps,
  organizationId: number,
  customerId: string,
  choice: Decider & { companyRecordId: string; remember: boolean },
): Promise<ReviewedOne> {
  const { by, seen } = choice
  return withCrm(deps, organizationId, async ({ access }) => {
    const { portalId } = access
    const company = await getCompany(deps, organizationId, access, choice.companyRecordId)
    return inOrganization(deps.database, organizationId, async (tenant) => {
      if (choice.remember) await lockRules(tenant)
      const place = { portalId, action: 'attached', by } as const
      let domain: string | null = null
      const reviewed = await decideEach(deps, tenant, place, [customerId], (match) => {
        if (!isAsSeen(match, seen)) return { refusal: changedMeanwhile(match) }
        domain = choice.remember ? domainFor(match) : null
        return { state: 'linked', evidence: 'person', company }
      })
      const one = only(reviewed)
      return domain === null ? one : remember(deps, tenant, portalId, one, { domain, company, by })
    })
  })
}

async function remember(
  deps: Deps,
  tenant: Tenant,
  portalId: string,
  one: ReviewedOne,
  { domain, company, by }: { domain: string; company: ReviewedCompany; by: Reviewer },
): Promise<ReviewedOne> {
  const others = await addRule(deps, tenant, portalId, domain, company, {
    by,
    decisionId: one.decisionId,
  })
  if (others === 0) return one
  const more = `${others} more of its domain ${others === 1 ? 'was' : 'were'} attached.`
  return { ...one, message: `${more} ${one.message}` }
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

/**
 * Creates a company for one customer in any state and links it, if the match is still as the person saw it; see
 * `createCompaniesFor`.
 */
export async function createCompanyFor(
  deps: Deps,
  organizationId: number,
  customerId: string,
  companyName: string,
  by: Reviewer,
  seen?: string,
): Promise<ReviewedOne> {
  const isOpen = (match: DecidableMatch) => isAsSeen(match, seen)
  const wanted = [{ customerId, companyName }]
  return only(
    await createCompaniesFor(deps, organizationId, wanted, { by, isOpen, isNameSearched: true }),
    'provider_refused',
  )
}

/** Unlinks a customer from its company. It then waits for a person, whatever later runs find. */
export function unlinkCustomer(
  deps: Deps,
  organizationId: number,
  customerId: string,
  by: Reviewer,
  seen?: string,
) {
  return decideHere(
    deps,
    organizationId,
    customerId,
    { by, seen },
    {
      action: 'unlinked',
      from: 'linked',
      to: 'pending',
    },
  )
}

/** Leaves a customer out of the review and of the CRM's companies until a person restores it. */
export function ignoreCustomer(deps: Deps, organizationId: number, customerId: string, by: Reviewer) {
  return decideHere(
    deps,
    organizationId,
    customerId,
    { by },
    {
      action: 'ignored',
      from: 'pending',
      to: 'ignored',
    },
  )
}

/** Restores an ignored customer: it waits as it did before. */
export function restoreCustomer(deps: Deps, organizationId: number, customerId: string, by: Reviewer) {
  return decideHere(
    deps,
    organizationId,
    customerId,
    { by },
    {
      action: 'restored',
      from: 'ignored',
      to: 'pending',
    },
  )
}

type Step = { action: 'unlinked' | 'ignored' | 'restored' } & Record<
  'from' | 'to',
  'linked' | 'pending' | 'ignored'
>

/** A decision that needs no CRM call; refused if the match is no longer in the expected state. */
function decideHere(
  deps: Deps,
  organizationId: number,
  customerId: string,
  { by, seen }: Decider,
  { action, from, to }: Step,
): Promise<ReviewedOne> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const portalId = await getPortal(deps, tenant)
    const reviewed = await decideEach(deps, tenant, { portalId, action, by }, [customerId], (match) => {
      if (match.state !== from || !isAsSeen(match, seen)) return { refusal: changedMeanwhile(match) }
      const evidence = action === 'unlinked' ? 'unlinked' : (match.evidence ?? 'no_candidate')
      return { state: to, evidence, company: null }
    })
    return only(reviewed)
  })
}

/** The only outcome, if it is done. Throws its refusal otherwise. */
function only({ decisionId, outcomes }: Reviewed, otherwise: Refusal['code'] = 'conflict'): ReviewedOne {
  const [outcome] = outcomes
  if (outcome === undefined || decisionId === null || !outcome.isDone) {
    const message = outcome?.message ?? unknownCustomer
    throw new Refusal(message === unknownCustomer ? 'not_found' : otherwise, message)
  }
  return { decisionId, message: outcome.message, company: outcome.company }
}
