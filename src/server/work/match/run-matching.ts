import { ProviderError } from '../../providers/provider-error.ts'
import { inOrganization } from '../../store/database.ts'
import { countPendingMatches, saveMatches } from '../../store/matches.ts'
import { getSettings, type Settings } from '../../store/settings.ts'
import { createMissing } from './create-missing.ts'
import { decidePage } from './decide-page.ts'
import { openCustomers } from './open-customers.ts'
import { wantsCompany } from './plan-creates.ts'
import { refreshIndex } from './refresh-index.ts'
import type { MatchSession } from './session.ts'

export type MatchCounts = { processed: number; matched: number; pendingMatchCount: number }

/**
 * Finds company and contact of every customer that lacks one, and creates them where the organization wants that. What
 * is decided is never overturned; what is gone from the CRM is noticed on the way.
 */
export async function runMatching(session: MatchSession): Promise<MatchCounts> {
  let processed = 0
  let matched = 0
  await refreshIndex(session)
  const creates = { areCompaniesRefused: false, hasKey: false }
  const patience = { isWorthwhile: true }
  for await (const page of openCustomers(session)) {
    const decided = await decidePage(session, page)
    const switches = await switchesNow(session, creates, decided.some(wantsCompany))
    const drafts = await createMissing(session, decided, switches, patience)
    await session.write((tenant) =>
      saveMatches(
        tenant,
        session.access.portalId,
        drafts.map(({ match }) => match),
        session.deps.now(),
      ),
    )
    processed += drafts.length
    matched += drafts.filter(
      ({ match, customer }) => match.state === 'linked' && customer.match?.state !== 'linked',
    ).length
  }
  const pendingMatchCount = await inOrganization(
    session.deps.database,
    session.organizationId,
    countPendingMatches,
  )
  return { processed, matched, pendingMatchCount }
}

/**
 * The switches as they stand now. Companies are created only under a unique property of ours: without one their creation
 * pauses, since one could be made twice.
 */
async function switchesNow(
  session: MatchSession,
  creates: { areCompaniesRefused: boolean; hasKey: boolean },
  isWanted: boolean,
): Promise<Settings> {
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

/** Why companies are not created although that is wanted, and what a person can do about it. */
export function pausedText({ crm }: MatchSession['deps'], reason: string): string {
  return `Companies are not created: ${reason} Without a unique company property of ours one could be made twice. Make room for one more unique company property in ${crm.name} (it allows ten), or let a ${crm.name} admin connect again with all permissions. Until then these customers wait in Match Review.`
}
