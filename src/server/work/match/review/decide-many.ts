import type { Deps } from '../../../deps.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { withCrm } from '../../crm/with-crm.ts'
import {
  changedMeanwhile,
  decideEach,
  getPortal,
  isWaiting,
  type Reviewed,
  type Reviewer,
} from './decide-each.ts'
import { getCompanies } from './search-companies.ts'

/** Attaches customers that wait, each to the company that a person accepted for it. */
export function acceptCompanies(
  deps: Deps,
  organizationId: number,
  choices: readonly { customerId: string; companyRecordId: string }[],
  by: Reviewer,
): Promise<Reviewed> {
  const chosen = new Map(choices.map((choice) => [choice.customerId, choice.companyRecordId]))
  return withCrm(deps, organizationId, async ({ access }) => {
    const { portalId } = access
    const companies = await getCompanies(deps, organizationId, access, [...new Set(chosen.values())])
    return inOrganization(deps.database, organizationId, (tenant) =>
      decideEach(deps, tenant, { portalId, action: 'attached', by }, [...chosen.keys()], (match) => {
        const company = companies.get(chosen.get(match.customerId) ?? '')
        if (company === undefined)
          return { refusal: `This company is no longer in ${deps.crm.name}. Choose another one.` }
        if (!isWaiting(match)) return { refusal: changedMeanwhile(match) }
        return { state: 'linked', evidence: 'person', company }
      }),
    )
  })
}

/** Leaves customers that wait out of the review and of the CRM's companies until a person restores them. */
export function ignoreCustomers(
  deps: Deps,
  organizationId: number,
  customerIds: readonly string[],
  by: Reviewer,
): Promise<Reviewed> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const portalId = await getPortal(deps, tenant)
    return decideEach(deps, tenant, { portalId, action: 'ignored', by }, customerIds, (match) =>
      isWaiting(match)
        ? { state: 'ignored', evidence: match.evidence ?? 'no_candidate', company: null }
        : { refusal: changedMeanwhile(match) },
    )
  })
}
