import { ProviderError } from '../../providers/provider-error.ts'
import { findListing } from '../../store/crm-index.ts'
import { inOrganization } from '../../store/database.ts'
import {
  countPendingMatches,
  hasUnmatched,
  listOpenCustomers,
  type OpenCustomer,
  saveMatches,
} from '../../store/matches.ts'
import { getSettings, type Settings } from '../../store/settings.ts'
import { createMissing } from './create-missing.ts'
import { decidePage } from './decide-page.ts'
import { refreshIndex } from './refresh-index.ts'
import type { MatchSession } from './session.ts'

export type MatchCounts = { processed: number; matched: number; pendingMatchCount: number }

const customersPerPage = 500

/**
 * Finds company and contact of every customer that lacks one, and creates them where the organization wants that. With
 * nobody new to look for, the CRM is asked nothing. What is decided is never overturned.
 */
export async function runMatching(session: MatchSession): Promise<MatchCounts> {
  let processed = 0
  let matched = 0
  let page = await openCustomersAfter(session, '')
  if (page.length > 0 && (await isListedLately(session))) page = []
  if (page.length > 0) await refreshIndex(session)
  const creates = { areCompaniesRefused: false, hasKey: false }
  while (page.length > 0) {
    session.access.signal?.throwIfAborted()
    const switches = await switchesNow(session, creates)
    const drafts = await createMissing(session, await decidePage(session, page), switches)
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
    page =
      page.length < customersPerPage ? [] : await openCustomersAfter(session, page.at(-1)?.customerId ?? '')
  }
  const pendingMatchCount = await inOrganization(
    session.deps.database,
    session.organizationId,
    countPendingMatches,
  )
  return { processed, matched, pendingMatchCount }
}

/** A portal that is listed in this many records takes a hundred requests and more. */
const largeRecords = 10_000
const listAgainMs = 24 * 60 * 60_000

/** Whether another look would cost much and most likely find the same: all who are open were looked for today. */
function isListedLately({
  deps,
  organizationId,
  access,
  isScheduled = false,
}: MatchSession): Promise<boolean> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    if (!isScheduled || (await hasUnmatched(tenant, access.portalId))) return false
    const { count, listedAt } = await findListing(tenant, access.portalId)
    const ageMs = deps.now().getTime() - (listedAt?.getTime() ?? 0)
    return count >= largeRecords && ageMs < listAgainMs
  })
}

function openCustomersAfter(
  { deps, organizationId, access }: MatchSession,
  afterId: string,
): Promise<OpenCustomer[]> {
  return inOrganization(deps.database, organizationId, (tenant) =>
    listOpenCustomers(tenant, access.portalId, afterId, customersPerPage),
  )
}

/** The switches as they stand now; companies are created only under a unique property of ours. */
async function switchesNow(
  session: MatchSession,
  creates: { areCompaniesRefused: boolean; hasKey: boolean },
): Promise<Settings> {
  const { deps, organizationId, access, report } = session
  const settings = await inOrganization(deps.database, organizationId, getSettings)
  if (!settings.autoCreateCompanies || creates.hasKey) return settings
  if (!creates.areCompaniesRefused) {
    try {
      await deps.crm.ensureCompanyKey(access)
      creates.hasKey = true
      return settings
    } catch (error) {
      if (!(error instanceof ProviderError) || error.isWorthRetrying || error.kind === 'unauthorized')
        throw error
      creates.areCompaniesRefused = true
      report(null, `Companies are not created: ${error.message}`)
    }
  }
  return { ...settings, autoCreateCompanies: false }
}
