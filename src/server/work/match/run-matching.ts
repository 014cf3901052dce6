import { asSentence, ProviderError } from '../../providers/provider-error.ts'
import { countPendingMatches, saveMatches } from '../../store/matches/matches.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { getSettings, type OrganizationSettings } from '../../store/setup/settings.ts'
import type { Patience } from './adopt-companies.ts'
import { createMissing } from './create-missing.ts'
import { type Draft, decidePage } from './decide-page.ts'
import { openCustomers } from './open-customers.ts'
import { type CreateSwitches, wantsCompany } from './plan-creates.ts'
import { refreshIndex } from './refresh-index.ts'
import type { MatchSession } from './session.ts'

export type MatchCounts = {
  processed: number
  matched: number
  /** Customers that had their company before, and lacked only a contact. */
  hadCompany: number
  pendingMatchCount: number
}

/**
 * Finds the company and contact of every customer that lacks one, and creates them if the organization wants that.
 * Never overturns a decision; notices records that were deleted from the CRM.
 */
export async function runMatching(session: MatchSession): Promise<MatchCounts> {
  let processed = 0
  let matched = 0
  let hadCompany = 0
  await refreshIndex(session)
  const creates = { areCompaniesRefused: false, hasKey: false }
  const switches = (isWanted: boolean) => switchesNow(session, creates, isWanted)
  for await (const drafts of matchedPages(session, switches, { isWorthwhile: true })) {
    await session.write((tenant) =>
      saveMatches(
        tenant,
        session.access.portalId,
        drafts.map(({ match }) => match),
        session.deps.now(),
      ),
    )
    processed += drafts.length
    const linked = drafts.filter(({ match }) => match.state === 'linked')
    const before = linked.filter(({ customer }) => customer.match?.state === 'linked').length
    hadCompany += before
    matched += linked.length - before
  }
  const pendingMatchCount = await inOrganization(
    session.deps.database,
    session.organizationId,
    countPendingMatches,
  )
  return { processed, matched, hadCompany, pendingMatchCount }
}

/**
 * Yields open customers, page by page, with the companies and contacts found or created. A push and a forecast both
 * run this code. It asks `switches` again for each page.
 */
export async function* matchedPages(
  session: MatchSession,
  switches: (isCompanyWanted: boolean) => Promise<CreateSwitches>,
  patience: Patience,
): AsyncGenerator<Draft[]> {
  for await (const page of openCustomers(session)) {
    const decided = await decidePage(session, page)
    yield createMissing(session, decided, await switches(decided.some(wantsCompany)), patience)
  }
}

/**
 * The current switches. Companies are created only while our unique property exists; without it, one could be created
 * twice.
 */
async function switchesNow(
  session: MatchSession,
  creates: { areCompaniesRefused: boolean; hasKey: boolean },
  isWanted: boolean,
): Promise<OrganizationSettings> {
  const { deps, organizationId, access, report } = session
  const settings = await inOrganization(deps.database, organizationId, getSettings)
  if (!settings.autoCreateCompanies || !isWanted || creates.hasKey) return settings
  if (!creates.areCompaniesRefused) {
    try {
      await deps.crm.ensureCompanyKey(access)
      creates.hasKey = true
      return settings
    } catch (error) {
      if (!(error instanceof ProviderError) || error.isWorthRetrying || error.kind === 'unauthorized')
        throw error
      creates.areCompaniesRefused = true
      report(null, pausedText(deps, error.message))
    }
  }
  return { ...settings, autoCreateCompanies: false }
}

/** Why companies are not created although the organization wants it, and what a person can do. */
export function pausedText({ crm }: MatchSession['deps'], reason: string): string {
  return `Companies are not created: ${asSentence(reason)} Without a unique company property of ours one could be made twice. Make room for one more unique company property in ${crm.name} (it allows ten), or let a ${crm.name} admin connect again with all permissions. Until then these customers wait in Match Review.`
}
