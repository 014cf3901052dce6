import type { CrmKind } from '#domain/crm-record.ts'
import type { CrmStandingRecord } from '../../../providers/crm-standing.ts'
import { asSentence, ProviderError } from '../../../providers/provider-error.ts'
import {
  countStanding,
  findInspection,
  saveInspection,
  saveStanding,
} from '../../../store/crm/crm-inspections.ts'
import { listLinksWithRecord } from '../../../store/crm/crm-repairs.ts'
import { inOrganization } from '../../../store/postgres/database.ts'
import { inRun } from '../../../store/runs/runs.ts'
import { inBatches } from '../batches.ts'
import type { PushSession } from '../push-session.ts'
import { type MovedRecord, reconcileExisting, reconcileStrays } from './reconcile-existing.ts'
import { reconcileMissing } from './reconcile-missing.ts'
import { reconcileMoves } from './reconcile-moves.ts'
import type { Stray } from './restore-keys.ts'
import { createSeenIds, type SeenIds } from './seen-ids.ts'

/** We read every record at least this often, because not every change is visible in the search. */
const fullLookEveryMs = 20 * 60 * 60_000
/**
 * The CRM documents that search lags behind writes by "a few moments"; for this time after our write its count is
 * useless.
 */
const searchLagMs = 60_000
/** Stops a listing whose cursor never ends. */
const pagesMax = 100_000

/**
 * Finds what people changed in our records of one kind. One search returns the count and the latest changes; we read
 * all records only if the count is wrong, or once a day.
 */
export async function lookAtRecords(session: PushSession, kind: CrmKind): Promise<void> {
  const { deps, claim, access } = session
  const startedAt = deps.now()
  const { look, count } = await readState(session, kind, session.scope !== 'all')
  const isDue = look === undefined || startedAt.getTime() - look.lookedAt.getTime() > fullLookEveryMs
  const newest = await findNewest(session, kind)
  if ('refusal' in newest) {
    if (count.known > 0) await lookWithoutSearch(session, kind, { startedAt, isDue, ...newest })
    return
  }
  const strangers = newestStranger(newest.rows)
  if (count.known === 0) {
    const mark = markOf(newest.total, strangers)
    await inRun(deps.database, claim, (tenant) =>
      saveInspection(tenant, access.portalId, kind, { mark, lookedAt: startedAt }),
    )
    return
  }
  if (!isDue) {
    const { changed } = await reconcileExisting(session, kind, newest.rows)
    const isAllChanged = changed === newest.rows.length && newest.total > newest.rows.length
    // A record that we just found again may hide, in the count, another one that is gone.
    const standing = changed === 0 ? count.standing : (await readState(session, kind, false)).count.standing
    const isSame = look.mark === markOf(newest.total - standing, strangers)
    if (isSame && !isAllChanged) return
    if (!isSame && startedAt.getTime() - (count.writtenAt?.getTime() ?? 0) < searchLagMs) return
  }
  await readAll(session, kind, startedAt, strangers)
}

/** With `isKept` the counts that the last push saved will do. */
function readState({ deps, claim, access }: PushSession, kind: CrmKind, isKept: boolean) {
  return inOrganization(deps.database, claim.organizationId, async (tenant) => {
    const look = await findInspection(tenant, access.portalId, kind)
    const kept = isKept ? look?.standing : null
    return { look, count: kept ?? (await countStanding(tenant, access.portalId, kind)) }
  })
}

/** With the reason alone if the CRM does not let us search. */
async function findNewest({ deps, access, objectTypes, converted }: PushSession, kind: CrmKind) {
  try {
    return await deps.crm.findNewestRecords(access, kind, objectTypes[kind], converted[kind])
  } catch (error) {
    return { refusal: refusalIn(error) }
  }
}

/** The reason of a refusal; throws any other error. */
function refusalIn(error: unknown): string {
  if (error instanceof ProviderError && ['rejected', 'forbidden', 'not_found'].includes(error.kind))
    return asSentence(error.message)
  throw error
}

/**
 * Says that the latest changes are unknown. All records are still read once a day, and when a person syncs, since no
 * sign tells whether that is worthwhile. If the CRM refuses that too, the push goes on.
 */
async function lookWithoutSearch(
  session: PushSession,
  kind: CrmKind,
  { startedAt, isDue, refusal }: { startedAt: Date; isDue: boolean; refusal: string },
): Promise<void> {
  const { deps, claim, mends, retriesFailed, onlyDue } = session
  const { name } = deps.crm
  const tell = (line: string) => inRun(deps.database, claim, (tenant) => mends.parked(tenant, null, line))
  await tell(
    `${name} refused to search its ${kind} records: ${refusal} What people change or delete there is found once a day, and when you sync by hand.`,
  )
  if (!isDue && (!retriesFailed || onlyDue)) return
  try {
    await readAll(session, kind, startedAt, '')
  } catch (error) {
    await tell(
      `${name} refused to list its ${kind} records: ${refusalIn(error)} What people change or delete there is not found.`,
    )
  }
}

/** The time of the last change of a foreign record, within the newest results. */
function newestStranger(rows: readonly CrmStandingRecord[]): string {
  return rows.find(({ key }) => key === null)?.updatedAt ?? ''
}

function markOf(surplus: number, strangers: string): string {
  return `${surplus}/${strangers}`
}

async function readAll(
  session: PushSession,
  kind: CrmKind,
  startedAt: Date,
  strangers: string,
): Promise<void> {
  const { deps, claim, access, objectTypes, converted } = session
  const seen = createSeenIds()
  const moved: MovedRecord[] = []
  const strays: Stray[] = []
  let total = 0
  let after: string | null = null
  for (let page = 0; ; page++) {
    if (page === pagesMax)
      throw new ProviderError('unavailable', `${deps.crm.name} does not come to the end of a list.`)
    access.signal?.throwIfAborted()
    const listed = await deps.crm.listRecords(access, kind, objectTypes, after, converted[kind])
    total += listed.rows.length
    // A record without our key is not ours, so it cannot be missing.
    for (const { recordId, key } of listed.rows) if (key !== null) seen.add(recordId)
    const found = await reconcileExisting(session, kind, listed.rows)
    moved.push(...found.moved)
    strays.push(...found.strays)
    if (listed.after === null) break
    after = listed.after
  }
  // The record that has the key of one may be on a later page.
  moved.push(...(await reconcileStrays(session, kind, strays)).moved)
  await findGone(session, kind, seen)
  if (kind === 'subscription') await reconcileMoves(session, moved)
  await inRun(deps.database, claim, async (tenant) => {
    const count = await countStanding(tenant, access.portalId, kind)
    const mark = markOf(total - count.standing, strangers)
    await saveInspection(tenant, access.portalId, kind, { mark, lookedAt: startedAt })
    await saveStanding(tenant, access.portalId)
  })
}

const linksPerPage = 1_000

/** Asks for records that the listing did not contain, and for the few that share a bucket with them. */
async function findGone(session: PushSession, kind: CrmKind, seen: SeenIds): Promise<void> {
  for await (const links of linksWithRecord(session, kind)) {
    for (const { recordId } of links) seen.add(recordId)
  }
  if (seen.isEven()) return
  const { recordsPerBatch } = session.deps.crm.limits
  for await (const gone of inBatches(oddLinks(session, kind, seen), recordsPerBatch)) {
    await reconcileMissing(session, kind, gone)
  }
}

async function* oddLinks(session: PushSession, kind: CrmKind, seen: SeenIds) {
  for await (const links of linksWithRecord(session, kind)) {
    yield* links.filter(({ recordId }) => seen.isOdd(recordId))
  }
}

async function* linksWithRecord({ deps, claim, access }: PushSession, kind: CrmKind) {
  let afterSourceId = ''
  for (;;) {
    const page = { afterSourceId, limit: linksPerPage }
    const links = await inOrganization(deps.database, claim.organizationId, (tenant) =>
      listLinksWithRecord(tenant, access.portalId, kind, page),
    )
    yield links
    const last = links.at(-1)
    if (!last || links.length < linksPerPage) return
    afterSourceId = last.sourceId
  }
}
