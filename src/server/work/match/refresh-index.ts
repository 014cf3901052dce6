// The index of a portal's companies and contacts is listed whole or brought up to date by a search, whichever takes fewer
// requests. A complete listing each night finds deletions, which a search does not report.

import type { CrmFound } from '../../providers/crm-directory.ts'
import type { CrmPage } from '../../providers/crm-standing.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { forgetUnlisted, listUnlisted } from '../../store/crm/crm-index.ts'
import { releaseGoneCompanies, releaseGoneContacts } from '../../store/crm/crm-index-changes.ts'
import { extendListing, findListing, type Listing, saveListing } from '../../store/crm/crm-listings.ts'
import { restoreChoices } from '../../store/matches/restored-choices.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { contactGone } from './gone-texts.ts'
import { indexCompanies, indexContacts } from './index-rows.ts'
import { refreshTies } from './refresh-ties.ts'
import type { MatchSession } from './session.ts'

/** Stops a listing whose cursor never ends. */
const pagesMax = 50_000
const rowsPerPage = 100
/** At this number of list requests or fewer we always list the portal, because searching would cost more. */
const cheapRequestsMax = 2
/** Search does not show some changes, deletions above all; a nightly listing finds them. */
const listAgainMs = 20 * 60 * 60_000
/** The CRM's search index lags by some seconds, so each search overlaps the last by this time. */
const searchLagMs = 5 * 60_000

/**
 * Updates the index of companies and contacts: by listing, which is complete and current, or by a search for changes
 * where that takes fewer requests. It also reads the associations that search does not show.
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

/** The same, if the last look is older than `maxAgeMs`. */
export async function ensureIndex(session: MatchSession, maxAgeMs: number): Promise<void> {
  const { deps, organizationId, access } = session
  const listing = await inOrganization(deps.database, organizationId, (tenant) =>
    findListing(tenant, access.portalId),
  )
  const ageMs = listing ? deps.now().getTime() - listing.readUntil.getTime() : Number.POSITIVE_INFINITY
  if (ageMs >= 0 && ageMs < maxAgeMs) return
  await refreshIndex(session)
}

/** Also after the clock was put back: a search from `readUntil` on would miss what changed before that. */
function isListingDue({ listedAt, readUntil }: Listing, now: Date): boolean {
  return readUntil > now || now.getTime() - listedAt.getTime() >= listAgainMs
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
  await readUnlisted(session, listedFrom)
  await write(async (tenant) => {
    for (const kind of ['company', 'contact'] as const)
      await forgetUnlisted(tenant, portalId, kind, listedFrom, deps.now())
    const released = await releaseGoneCompanies(tenant, portalId, listedFrom, deps.now())
    if (released.length > 0) {
      const line = `Companies of ${released.length} matched customers were deleted in ${deps.crm.name}; these wait for review.`
      await session.mended?.(tenant, line)
    }
    await releaseGoneContacts(tenant, portalId, listedFrom, contactGone(deps))
    for (const customerId of await restoreChoices(tenant, portalId, deps.now())) {
      const line = `${customerId}: the company that was chosen for it was restored in ${deps.crm.name}; it is with it again.`
      await session.mended?.(tenant, line)
    }
    await saveListing(tenant, portalId, listedFrom)
  })
}

/** A list may leave out a record, above all a new one: only what cannot be read by its id either is gone. */
async function readUnlisted(session: MatchSession, listedFrom: Date): Promise<void> {
  const { deps, organizationId, access } = session
  const { companies, contacts } = await inOrganization(deps.database, organizationId, async (tenant) => ({
    companies: await listUnlisted(tenant, access.portalId, 'company', listedFrom),
    contacts: await listUnlisted(tenant, access.portalId, 'contact', listedFrom),
  }))
  if (companies.length > 0)
    await indexCompanies(session, await deps.crm.readCompanies(access, companies), listedFrom)
  if (contacts.length > 0)
    await indexContacts(session, await deps.crm.readContacts(access, contacts), listedFrom)
}

/** Returns false if there are more changes than search can show, or if listing would be cheaper. */
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
