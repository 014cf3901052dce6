import type { Deps } from '../deps.ts'
import { inOrganization } from '../store/database.ts'
import { withCrm } from './crm/with-crm.ts'
import { type MatchCounts, runMatching } from './match/run-matching.ts'

/** Looks for the company and contact of every paying customer that has none yet, outside a push. */
export function matchCompanies(
  deps: Deps,
  organizationId: number,
  signal?: AbortSignal,
): Promise<MatchCounts> {
  return withCrm(
    deps,
    organizationId,
    ({ access }) =>
      runMatching({
        deps,
        organizationId,
        access,
        write: (work) => inOrganization(deps.database, organizationId, work),
        // The reason may name a person's address, which is nothing for a log.
        report: () => deps.log.warn({ organizationId }, 'a company or contact could not be created'),
      }),
    signal,
  )
}
