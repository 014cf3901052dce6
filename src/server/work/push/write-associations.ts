import type { CrmKind } from '#domain/crm-record.ts'
import type { CrmPairOutcome } from '../../providers/crm.ts'
import {
  type AssociationKind,
  type AssociationRow,
  associationKinds,
  deleteAssociations,
  listMissingAssociations,
  listObsoleteAssociations,
  noteAssociations,
  saveAssociations,
  saveRefusedAssociations,
} from '../../store/crm-associations.ts'
import { inOrganization } from '../../store/database.ts'
import { addRunErrors, inRun } from '../../store/runs.ts'
import { batchesInFlight, inLanes } from './in-lanes.ts'
import { mayGoOn } from './may-go-on.ts'
import type { PushSession } from './push-session.ts'
import { recheckTargets } from './recheck-targets.ts'
import type { Follower } from './write-records.ts'

/** The associations of one kind of record. */
export type Associating = {
  /**
   * Makes those of settled records while others are still being written: whole pages only, so that it takes no more
   * requests than afterwards.
   */
  follow: Follower
  /**
   * Makes the rest, and takes back those of ours that should be no longer. True when some led to companies or contacts
   * that turned out to be gone or merged, so that their customers have to be matched again.
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
  async function* rest() {
    for (const { kind, afterSourceId } of places) {
      for await (const rows of missingPages(session, kind, afterSourceId)) yield making(kind, rows)
    }
  }
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
        // Where few records have such an association, ever longer stretches are looked through for a whole page.
        place.dueAt = count + Math.max(pairsPerBatch, count - place.since)
      }
    },
    async finish() {
      await inLanes(rest(), batchesInFlight, (work) => work())
      for (const { kind } of places) await removeObsolete(session, kind)
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

/** A page of what is missing, noted before it is asked for. Up to a source id only a whole page counts. */
function notePage(
  { deps, claim, access, retriesFailed }: PushSession,
  kind: AssociationKind,
  range: { afterSourceId: string; upToSourceId?: string },
): Promise<AssociationRow[]> {
  const { portalId } = access
  const { runId } = claim
  const limit = deps.crm.limits.pairsPerBatch
  return inRun(deps.database, claim, async (tenant) => {
    const page = { ...range, limit, retriesFailed, runId }
    const missing = await listMissingAssociations(tenant, portalId, kind, page)
    if (range.upToSourceId !== undefined && missing.length < limit) return []
    await noteAssociations(tenant, portalId, kind, missing)
    return missing
  })
}

/** Asks for a page of associations and keeps what became of each. True when some led to records that are no more. */
async function makePage(
  session: PushSession,
  kind: AssociationKind,
  rows: readonly AssociationRow[],
): Promise<boolean> {
  const { deps, claim, access } = session
  const { portalId } = access
  const { runId } = claim
  await mayGoOn(session)
  const outcomes = await deps.crm.associate(
    access,
    session.objectTypes[kind.kind],
    targetOf(session, kind),
    rows.map(({ fromRecordId, toRecordId }) => ({ fromId: fromRecordId, toId: toRecordId })),
  )
  const { done, refused, unknown } = settle(rows, outcomes)
  const moved = await recheckTargets(
    session,
    kind.target,
    refused.map(({ toRecordId }) => toRecordId),
  )
  // What leads to a record that is no more is not parked: it follows the match, or comes back with the record.
  const parked = refused.filter(({ toRecordId }) => !moved.has(toRecordId))
  await inRun(deps.database, claim, async (tenant) => {
    await saveAssociations(tenant, portalId, kind, done, deps.now())
    await saveRefusedAssociations(tenant, { portalId, kind, runId }, parked)
    const errors = [...parked, ...unknown].map(({ sourceId, error }) => ({
      sourceId,
      message: `Not associated with the ${kind.target}: ${error}`,
    }))
    await addRunErrors(tenant, runId, errors, deps.now())
  })
  return moved.size > 0
}

function targetOf({ objectTypes }: PushSession, { target }: AssociationKind) {
  return target === 'subscription' ? { objectTypeId: objectTypes.subscription } : target
}

function settle(rows: readonly AssociationRow[], outcomes: readonly CrmPairOutcome[]) {
  const byPair = new Map(outcomes.map((outcome) => [`${outcome.fromId}/${outcome.toId}`, outcome]))
  const done: AssociationRow[] = []
  const refused: (AssociationRow & { error: string })[] = []
  const unknown: typeof refused = []
  for (const row of rows) {
    const outcome = byPair.get(`${row.fromRecordId}/${row.toRecordId}`)
    if (outcome?.isDone) done.push(row)
    else if (outcome && !outcome.isUnknown) refused.push({ ...row, error: outcome.message })
    else unknown.push({ ...row, error: outcome?.message ?? 'Nothing is known of what became of it.' })
  }
  return { done, refused, unknown }
}

async function removeObsolete(session: PushSession, kind: AssociationKind): Promise<void> {
  const { deps, claim, access } = session
  const limit = deps.crm.limits.pairsPerRead
  let afterSourceId = ''
  for (;;) {
    access.signal?.throwIfAborted()
    const rows = await inOrganization(deps.database, claim.organizationId, (tenant) =>
      listObsoleteAssociations(tenant, access.portalId, kind, { afterSourceId, limit }),
    )
    const last = rows.at(-1)
    if (!last) return
    await mayGoOn(session)
    const outcomes = await deps.crm.dissociate(
      access,
      session.objectTypes[kind.kind],
      targetOf(session, kind),
      rows.map(({ fromRecordId, toRecordId }) => ({ fromId: fromRecordId, toId: toRecordId })),
    )
    await inRun(deps.database, claim, async (tenant) => {
      const { done, refused, unknown } = settle(rows, outcomes)
      await deleteAssociations(tenant, access.portalId, kind, done)
      const errors = [...refused, ...unknown].map(({ sourceId, error }) => ({
        sourceId,
        message: `Still associated with a ${kind.target} that it no longer belongs to: ${error}`,
      }))
      await addRunErrors(tenant, claim.runId, errors, deps.now())
    })
    if (rows.length < limit) return
    afterSourceId = last.sourceId
  }
}
