import type { CrmKind } from '#domain/crm-record.ts'
import {
  type AssociationKind,
  type AssociationRow,
  associationKinds,
  deleteAssociations,
  listMissingAssociations,
  noteAssociations,
  saveAssociations,
  saveRefusedAssociations,
} from '../../store/crm/crm-associations.ts'
import { listReplacedAssociations, reviveRefusedBeside } from '../../store/crm/crm-obsolete.ts'
import type { PushScope } from '../../store/crm/push-due.ts'
import { tieRefusal } from '../../store/crm/refusals.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { addLinkChanges } from '../../store/runs/run-changes.ts'
import { addRunErrors } from '../../store/runs/run-lines.ts'
import { inRun } from '../../store/runs/runs.ts'
import { workThrough } from '../runs/task-group.ts'
import { batchesInFlight } from './batches.ts'
import { makeRoom } from './make-room.ts'
import type { PushSession } from './push-session.ts'
import { recheckTargets } from './recheck-targets.ts'
import { listSupersededMoves } from './superseded-moves.ts'
import { writePairs } from './write-pairs.ts'
import type { Follower } from './write-records.ts'

/** Creates the associations of one kind of record. */
export type Associating = {
  /**
   * Associates written records while others are still being written. It sends only full pages, so that it costs no
   * more requests than doing it afterwards.
   */
  follow: Follower
  /**
   * Creates the rest and removes our obsolete associations. Returns true if some targets were deleted or merged, so
   * that their customers must be matched again.
   */
  finish(): Promise<boolean>
}

export function associating(session: PushSession, ofRecords: CrmKind): Associating {
  const { pairsPerBatch } = session.deps.crm.limits
  let isAnyMoved = false
  const places = associationKinds
    .filter(({ kind }) => kind === ofRecords)
    .map((kind) => ({ kind, afterSourceId: '', since: 0, dueAt: pairsPerBatch }))
  const making = (kind: AssociationKind, rows: readonly AssociationRow[]) => async () => {
    if (await makePage(session, kind, rows)) isAnyMoved = true
  }
  async function* missing(
    wanted: readonly { kind: AssociationKind; afterSourceId: string }[],
    compared: PushSession,
  ) {
    for (const { kind, afterSourceId } of wanted) {
      for await (const rows of missingPages(compared, kind, afterSourceId)) yield making(kind, rows)
    }
  }
  const make = (wanted: Parameters<typeof missing>[0], compared = session) =>
    workThrough(missing(wanted, compared), batchesInFlight, (work) => work())
  return {
    async *follow({ upToKey, count }) {
      for (const place of places) {
        if (upToKey === null || count < place.dueAt) continue
        const range = { afterSourceId: place.afterSourceId, upToSourceId: upToKey }
        const rows = await notePage(session, place.kind, range)
        const last = rows.at(-1)
        if (last) {
          place.afterSourceId = last.sourceId
          place.since = count
          yield making(place.kind, rows)
        }
        // If few records have this association, search ever longer ranges before each page, so that pages are full.
        place.dueAt = count + Math.max(pairsPerBatch, count - place.since)
      }
    },
    async finish() {
      await make(places)
      // A tie that has room again may be any customer's, and so may the former tie that it replaces.
      const wide = { ...session, scope: 'all' as const }
      for (const { kind } of places) {
        const refused = new Set<string>()
        let { scope } = session
        while (await removeObsolete(session, kind, scope, refused)) {
          await make([{ kind, afterSourceId: '' }], wide)
          scope = wide.scope
        }
      }
      return isAnyMoved
    },
  }
}

async function* missingPages(
  session: PushSession,
  kind: AssociationKind,
  startId: string,
): AsyncGenerator<AssociationRow[]> {
  let afterSourceId = startId
  for (;;) {
    session.access.signal?.throwIfAborted()
    const rows = await notePage(session, kind, { afterSourceId })
    const last = rows.at(-1)
    if (last) yield rows
    if (!last || rows.length < session.deps.crm.limits.pairsPerBatch) return
    afterSourceId = last.sourceId
  }
}

/** Notes a page of missing associations before it is sent. With an upper source id, only a full page is sent. */
function notePage(
  { deps, claim, access, retriesFailed, scope }: PushSession,
  kind: AssociationKind,
  range: { afterSourceId: string; upToSourceId?: string },
): Promise<AssociationRow[]> {
  const { portalId } = access
  const { runId } = claim
  const limit = deps.crm.limits.pairsPerBatch
  return inRun(deps.database, claim, async (tenant) => {
    const page = { ...range, limit, retriesFailed, runId, scope }
    const missing = await listMissingAssociations(tenant, portalId, kind, page)
    if (range.upToSourceId !== undefined && missing.length < limit) return []
    await noteAssociations(tenant, portalId, kind, missing)
    return missing
  })
}

/** Sends a page of associations and saves the outcomes. Returns true if some target records no longer exist. */
async function makePage(
  session: PushSession,
  kind: AssociationKind,
  rows: readonly AssociationRow[],
): Promise<boolean> {
  const { deps, claim, access } = session
  const { portalId } = access
  const { runId } = claim
  if (session.held.has('associations')) return false
  const first = await writePairs(session, kind, 'associate', rows)
  const moved = await recheckTargets(
    session,
    kind.target,
    first.refused.map(({ toRecordId }) => toRecordId),
  )
  // We do not park an association whose target is gone: it follows the match, or returns with the record.
  const standing = first.refused.filter(({ toRecordId }) => !moved.has(toRecordId))
  const { done, refused, unknown, held } = await makeRoom(session, kind, { ...first, refused: standing })
  await inRun(deps.database, claim, async (tenant) => {
    await saveAssociations(tenant, portalId, kind, done, deps.now())
    await saveRefusedAssociations(tenant, { portalId, kind, runId }, refused)
    const errors = [...refused, ...unknown].map(({ sourceId, error }) => ({
      sourceId,
      message: tieRefusal(kind.target, error),
    }))
    await addRunErrors(tenant, runId, errors, deps.now())
    await addLinkChanges(tenant, runId, { portalId, kind, change: 'linked', rows: done })
  })
  if (held[0]) session.held.hold('associations', held[0].error)
  if (unknown.length > 0) session.isLeftOpen = true
  return moved.size > 0
}

/**
 * Returns true if a removal made room for associations that were refused before. `refused` keeps the removals that were not
 * done, so that they are tried once.
 */
async function removeObsolete(
  session: PushSession,
  kind: AssociationKind,
  scope: PushScope,
  refused: Set<string>,
): Promise<boolean> {
  const { deps, claim, access } = session
  const limit = deps.crm.limits.pairsPerRead
  let isAnyRevived = false
  let afterSourceId = ''
  while (!session.held.has('removed associations')) {
    access.signal?.throwIfAborted()
    const rows = await inOrganization(deps.database, claim.organizationId, (tenant) =>
      listReplacedAssociations(tenant, access.portalId, kind, { afterSourceId, limit, scope }),
    )
    const last = rows.at(-1)
    if (!last) break
    const untried = rows.filter((row) => !refused.has(pairOf(row)))
    const moves = await listSupersededMoves(session, kind, untried)
    const { done, held, ...others } = await writePairs(session, kind, 'dissociate', [...untried, ...moves])
    const open = [...others.refused, ...others.unknown]
    for (const row of open) refused.add(pairOf(row))
    if (held[0]) session.held.hold('removed associations', held[0].error)
    if (open.length > 0) session.isLeftOpen = true
    const isRevived = await inRun(deps.database, claim, async (tenant) => {
      await deleteAssociations(tenant, access.portalId, kind, done)
      const errors = open.map(({ sourceId, error }) => ({
        sourceId,
        message: `Still associated with a ${kind.target} that it no longer belongs to: ${error}`,
      }))
      await addRunErrors(tenant, claim.runId, errors, deps.now())
      const isRoomMade = await reviveRefusedBeside(tenant, access.portalId, kind, done)
      const { portalId } = access
      await addLinkChanges(tenant, claim.runId, { portalId, kind, change: 'unlinked', rows: done })
      return isRoomMade
    })
    isAnyRevived ||= isRevived
    if (rows.length < limit) break
    afterSourceId = last.sourceId
  }
  return isAnyRevived
}

const pairOf = ({ sourceId, toRecordId }: AssociationRow) => `${sourceId} ${toRecordId}`
