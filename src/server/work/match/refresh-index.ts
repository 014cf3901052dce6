import type { CrmPage } from '../../providers/crm.ts'
import type { CrmFound } from '../../providers/crm-directory.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { forgetUnlisted } from '../../store/crm/crm-index.ts'
import { releaseGoneCompanies, releaseGoneContacts } from '../../store/crm/crm-index-changes.ts'
import { extendListing, findListing, type Listing, saveListing } from '../../store/crm/crm-listings.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { contactGone } from './gone-texts.ts'
import { indexCompanies, indexContacts } from './index-rows.ts'
import { refreshTies } from './refresh-ties.ts'
import type { MatchSession } from './session.ts'

/** Ends a listing whose cursor leads in a circle. */
const pagesMax = 50_000
const rowsPerPage = 100
/** A portal whose lists take no more requests than this is listed every time: that is cheaper than to search it. */
const cheapRequestsMax = 3
/** What search does not tell, deletions above all, is found by a listing each night. */
const listAgainMs = 20 * 60 * 60_000
/** The CRM's search finds a change only some seconds after it; a search begins this much before the last one. */
const searchLagMs = 5 * 60_000

/**
 * Brings the index of the portal's companies and contacts up to date: from the lists, which are complete and lag behind
 * nothing, or by a search for what was changed since, where that takes fewer requests; with a look at the ties of which
 * search does not tell.
 */
export async function refreshIndex(session: MatchSession): Promise<void> {
  const { deps, organizationId, access } = session
  const listing = await inOrganization(deps.database, organizationId, (tenant) =>
    findListing(tenant, access.portalId),
  )
  const isListed = listing === undefined || isListingDue(listing, deps.now()) || isCheap(listing)
  if (isListed || !(await readChanges(session, listing))) await listAll(session)
  else await refreshTies(session)
}

/** The same for a look that may be some minutes old. */
export async function ensureIndex(session: MatchSession, maxAgeMs: number): Promise<void> {
  const { deps, organizationId, access } = session
  const listing = await inOrganization(deps.database, organizationId, (tenant) =>
    findListing(tenant, access.portalId),
  )
  if (listing && deps.now().getTime() - listing.readUntil.getTime() < maxAgeMs) return
  await refreshIndex(session)
}

function isListingDue({ listedAt }: Listing, now: Date): boolean {
  return now.getTime() - listedAt.getTime() >= listAgainMs
}

function isCheap({ companies, contacts }: Listing): boolean {
  const requestsOf = (count: number) => Math.max(1, Math.ceil(count / rowsPerPage))
  return requestsOf(companies) + requestsOf(contacts) <= cheapRequestsMax
}

async function listAll(session: MatchSession): Promise<void> {
  const { deps, access, write } = session
  const { portalId } = access
  const listedFrom = deps.now()
  await eachPage(
    session,
    (after) => deps.crm.listCompanies(access, after),
    (rows) => indexCompanies(session, rows, listedFrom),
  )
  await eachPage(
    session,
    (after) => deps.crm.listContacts(access, after),
    (rows) => indexContacts(session, rows, listedFrom),
  )
  await write(async (tenant) => {
    for (const kind of ['company', 'contact'] as const)
      await forgetUnlisted(tenant, portalId, kind, listedFrom, deps.now())
    const released = await releaseGoneCompanies(tenant, portalId, listedFrom, deps.now())
    if (released.length > 0) {
      const line = `Companies of ${released.length} matched customers were deleted in ${deps.crm.name}; these wait for review.`
      await session.mended?.(tenant, line)
    }
    await releaseGoneContacts(tenant, portalId, listedFrom, contactGone(deps))
    await saveListing(tenant, portalId, listedFrom)
  })
}

/** False when more was changed than a search shows or than is cheap to read that way. */
async function readChanges(session: MatchSession, { readUntil, ...size }: Listing): Promise<boolean> {
  const { deps, access, write } = session
  const readFrom = deps.now()
  const since = new Date(readUntil.getTime() - searchLagMs)
  const changesMax = Math.min(deps.crm.searchResultsMax, (size.companies + size.contacts) / 2)
  const isRead = async <Row>(
    search: (after: string | null) => Promise<CrmFound<Row>>,
    save: (rows: Row[]) => Promise<void>,
  ) => {
    const first = await search(null)
    if (first.total > changesMax) return false
    await eachPage(session, (after) => (after === null ? Promise.resolve(first) : search(after)), save)
    return true
  }
  const isAllRead =
    (await isRead(
      (after) => deps.crm.searchChangedCompanies(access, since, after),
      (rows) => indexCompanies(session, rows, readFrom),
    )) &&
    (await isRead(
      (after) => deps.crm.searchChangedContacts(access, since, after),
      (rows) => indexContacts(session, rows, readFrom),
    ))
  if (isAllRead) await write((tenant) => extendListing(tenant, access.portalId, readFrom))
  return isAllRead
}

async function eachPage<Row>(
  { deps, access }: MatchSession,
  list: (after: string | null) => Promise<CrmPage<Row>>,
  save: (rows: Row[]) => Promise<void>,
): Promise<void> {
  let after: string | null = null
  for (let page = 0; page < pagesMax; page++) {
    access.signal?.throwIfAborted()
    const listed: CrmPage<Row> = await list(after)
    await save(listed.rows)
    if (listed.after === null) return
    after = listed.after
  }
  throw new ProviderError('unavailable', `${deps.crm.name} does not come to the end of a list.`)
}
