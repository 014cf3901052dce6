import type { Deps } from '../deps.ts'
import { inOrganization } from '../store/database.ts'
import { getSettings } from '../store/settings.ts'
import { type CrmSession, withCrm } from './crm/with-crm.ts'
import { decidePage } from './match/decide-page.ts'
import { leaveSisters, planCompanies, planContacts, wantsCompany } from './match/plan-creates.ts'
import { ensureIndex } from './match/refresh-index.ts'
import { type MatchCounts, openCustomers, pausedText, runMatching } from './match/run-matching.ts'
import type { MatchSession } from './match/session.ts'

function sessionOf(deps: Deps, organizationId: number, { access }: CrmSession): MatchSession {
  return {
    deps,
    organizationId,
    access,
    write: (work) => inOrganization(deps.database, organizationId, work),
    // The reason may name a person's address, which is nothing for a log.
    report: () => deps.log.warn({ organizationId }, 'a company or contact could not be created'),
  }
}

/** Looks for the company and contact of every paying customer that has none yet, outside a push. */
export function matchCompanies(
  deps: Deps,
  organizationId: number,
  signal?: AbortSignal,
): Promise<MatchCounts> {
  return withCrm(deps, organizationId, (crm) => runMatching(sessionOf(deps, organizationId, crm)), signal)
}

/** What the next matching would come to. */
export type MatchForecast = {
  /** Customers that would be attached to a company that is there already. */
  attached: number
  companiesToCreate: number
  /** Why no company would be created although that is wanted; null when nothing is known to be in the way. */
  companiesPaused: string | null
  contactsToCreate: number
  /** Customers that would wait for a person. */
  toReview: number
}

/** A look into the portal may be this old. */
const forecastAgeMs = 10 * 60_000

/**
 * Decides as the next matching would, with the switches as they stand, and writes nothing to the CRM. A domain's
 * company and an address's contact count once for all pages.
 */
export function forecastMatching(
  deps: Deps,
  organizationId: number,
  signal?: AbortSignal,
): Promise<MatchForecast> {
  return withCrm(
    deps,
    organizationId,
    async (crm) => {
      const session = sessionOf(deps, organizationId, crm)
      await ensureIndex(session, forecastAgeMs)
      const settings = await inOrganization(deps.database, organizationId, getSettings)
      const obstacle = settings.autoCreateCompanies
        ? await deps.crm.findCompanyKeyObstacle(crm.access, crm.scopes)
        : null
      const createsCompanies = settings.autoCreateCompanies && obstacle === null
      const domains = new Set<string>()
      const emails = new Set<string>()
      const counts = { attached: 0, toReview: 0 }
      let isAnyHeldUp = false
      for await (const page of openCustomers(session)) {
        const decided = await decidePage(session, page)
        const drafts = createsCompanies ? leaveSisters(decided) : decided
        if (createsCompanies) for (const { domain } of planCompanies(drafts)) domains.add(domain)
        else isAnyHeldUp ||= drafts.some(wantsCompany)
        if (settings.autoCreateContacts) for (const { email } of planContacts(drafts)) emails.add(email)
        counts.attached += drafts.filter(({ match }) => match.state === 'linked').length
        counts.toReview += drafts.filter(
          (draft) => draft.match.state === 'pending' && !(createsCompanies && wantsCompany(draft)),
        ).length
      }
      return {
        ...counts,
        companiesToCreate: domains.size,
        companiesPaused: obstacle !== null && isAnyHeldUp ? pausedText(deps, obstacle) : null,
        contactsToCreate: emails.size,
      }
    },
    signal,
  )
}
