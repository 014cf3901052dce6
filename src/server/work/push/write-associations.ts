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

/**
 * Makes the associations that are missing and takes back those of ours that should be no longer. True when some led to
 * companies or contacts that turned out to be gone or merged, so that their customers have to be matched again.
 */
export async function writeAssociations(session: PushSession): Promise<boolean> {
  let isAnyMoved = false
  for (const kind of associationKinds) {
    if (await makeMissing(session, kind)) isAnyMoved = true
    await removeObsolete(session, kind)
  }
  return isAnyMoved
}

async function makeMissing(session: PushSession, kind: AssociationKind): Promise<boolean> {
  let isAnyMoved = false
  await inLanes(missingPages(session, kind), batchesInFlight, async (rows) => {
    if (await makePage(session, kind, rows)) isAnyMoved = true
  })
  return isAnyMoved
}

/** What is missing, each page noted before it is asked for. */
async function* missingPages(
  { deps, claim, access, retriesFailed }: PushSession,
  kind: AssociationKind,
): AsyncGenerator<AssociationRow[]> {
  const { portalId } = access
  const { runId } = claim
  const limit = deps.crm.limits.pairsPerBatch
  let afterSourceId = ''
  for (;;) {
    access.signal?.throwIfAborted()
    const page = { afterSourceId, limit, retriesFailed, runId }
    const rows = await inRun(deps.database, claim, async (tenant) => {
      const missing = await listMissingAssociations(tenant, portalId, kind, page)
      await noteAssociations(tenant, portalId, kind, missing)
      return missing
    })
    const last = rows.at(-1)
    if (last) yield rows
    if (!last || rows.length < limit) return
    afterSourceId = last.sourceId
  }
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
