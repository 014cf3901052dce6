import type { Deps } from '../../deps.ts'
import { countLinkedMatches } from '../../store/matches/matches.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { rehearse } from '../../store/postgres/rehearsal.ts'
import { getSettings } from '../../store/setup/settings.ts'
import { createHeldWrites } from '../crm/held-writes.ts'
import { type CrmSession, withCrm } from '../crm/with-crm.ts'
import { type CreateSwitches, wantsCompany } from './plan-creates.ts'
import { predictCrm } from './predicted-crm.ts'
import { ensureIndex } from './refresh-index.ts'
import { type MatchCounts, matchedPages, pausedText, runMatching } from './run-matching.ts'
import type { MatchSession } from './session.ts'

function sessionOf(deps: Deps, organizationId: number, { access }: CrmSession): MatchSession {
  return {
    deps,
    organizationId,
    access,
    held: createHeldWrites(),
    write: (work) => inOrganization(deps.database, organizationId, work),
    // The reason may contain a person's address, which must not reach the log.
    report: () => deps.log.warn({ organizationId }, 'a company or contact could not be created'),
  }
}

/** Finds the company and contact of every paying customer that lacks one, outside a push. */
export function matchCompanies(
  deps: Deps,
  organizationId: number,
  signal?: AbortSignal,
): Promise<MatchCounts> {
  return withCrm(deps, organizationId, (crm) => runMatching(sessionOf(deps, organizationId, crm)), signal)
}

/** What the next matching would do. */
export type MatchForecast = {
  /** Customers that would be linked to an existing company. */
  attached: number
  companiesToCreate: number
  /** Why no company would be created although the organization wants it; null if we know of no obstacle. */
  companiesPaused: string | null
  contactsToCreate: number
  /** Customers that would wait for a person's decision. */
  toReview: number
}

/** A forecast may use an index of at most this age. */
const forecastAgeMs = 10 * 60_000

/**
 * Runs the real matching with the current switches, against a CRM that only pretends to create, in a transaction that
 * is rolled back. The counts match the next push because the same code runs.
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
      await ensureIndex(sessionOf(deps, organizationId, crm), forecastAgeMs)
      const settings = await inOrganization(deps.database, organizationId, getSettings)
      const obstacle = settings.autoCreateCompanies
        ? await deps.crm.findCompanyKeyObstacle(crm.access, crm.scopes)
        : null
      const { isAnyHeldUp, ...counts } = await rehearse(deps.database, organizationId, (database) =>
        countMatched({ ...deps, database }, organizationId, crm, {
          autoCreateCompanies: settings.autoCreateCompanies && obstacle === null,
          autoCreateContacts: settings.autoCreateContacts,
        }),
      )
      return {
        ...counts,
        companiesPaused: obstacle !== null && isAnyHeldUp ? pausedText(deps, obstacle) : null,
      }
    },
    signal,
  )
}

async function countMatched(
  deps: Deps,
  organizationId: number,
  crm: CrmSession,
  switches: CreateSwitches,
): Promise<Omit<MatchForecast, 'companiesPaused'> & { isAnyHeldUp: boolean }> {
  const predicted = predictCrm(deps.crm, deps.newId())
  const session = sessionOf({ ...deps, crm: predicted.crm }, organizationId, crm)
  const counts = {
    attached: await inOrganization(deps.database, organizationId, countLinkedMatches),
    toReview: 0,
  }
  let isAnyHeldUp = false
  for await (const drafts of matchedPages(session, async () => switches, { isWorthwhile: false })) {
    isAnyHeldUp ||= drafts.some(wantsCompany)
    for (const { match, customer } of drafts) {
      const isNew = match.state === 'linked' && customer.match?.state !== 'linked'
      if (isNew && !predicted.isPredicted(match.companyRecordId ?? '')) counts.attached++
      if (match.state === 'pending') counts.toReview++
    }
  }
  return {
    ...counts,
    isAnyHeldUp,
    companiesToCreate: predicted.companies.size,
    contactsToCreate: predicted.contacts.size,
  }
}
