import type { CrmPairOutcome } from '../../providers/crm.ts'
import {
  type AssociationKind,
  type AssociationRow,
  associationKinds,
  deleteAssociations,
  listMissingAssociations,
  listObsoleteAssociations,
  saveAssociations,
} from '../../store/crm-associations.ts'
import { inOrganization } from '../../store/database.ts'
import { addRunErrors, inRun } from '../../store/runs.ts'
import type { PushSession } from './push-session.ts'

/** Most rows told of in a run when the CRM refuses associations. */
const errorsMax = 50

/** Makes the associations that are missing and takes back those of ours that should be no longer. */
export async function writeAssociations(session: PushSession): Promise<void> {
  for (const kind of associationKinds) {
    await makeMissing(session, kind)
    await removeObsolete(session, kind)
  }
}

async function makeMissing(session: PushSession, kind: AssociationKind): Promise<void> {
  const { deps, claim, access } = session
  const limit = deps.crm.limits.pairsPerBatch
  let afterId = ''
  for (;;) {
    access.signal?.throwIfAborted()
    const rows = await inRun(deps.database, claim, (tenant) =>
      listMissingAssociations(tenant, access.portalId, kind, { afterSourceId: afterId, limit }),
    )
    const last = rows.at(-1)
    if (!last) return
    const outcomes = await deps.crm.associate(
      access,
      session.objectTypes[kind.kind],
      targetOf(session, kind),
      rows.map(({ fromRecordId, toRecordId }) => ({ fromId: fromRecordId, toId: toRecordId })),
    )
    await inRun(deps.database, claim, async (tenant) => {
      const { done, refused } = settle(rows, outcomes)
      await saveAssociations(tenant, access.portalId, kind, done, deps.now())
      await addRunErrors(tenant, claim.runId, refused.slice(0, errorsMax), deps.now())
    })
    if (rows.length < limit) return
    afterId = last.sourceId
  }
}

function targetOf({ objectTypes }: PushSession, { target }: AssociationKind) {
  return target === 'subscription' ? { objectTypeId: objectTypes.subscription } : target
}

function settle(rows: readonly AssociationRow[], outcomes: readonly CrmPairOutcome[]) {
  const byPair = new Map(outcomes.map((outcome) => [`${outcome.fromId}/${outcome.toId}`, outcome]))
  const done: AssociationRow[] = []
  const refused: { sourceId: string; message: string }[] = []
  for (const row of rows) {
    const outcome = byPair.get(`${row.fromRecordId}/${row.toRecordId}`)
    if (outcome?.isDone) done.push(row)
    else refused.push({ sourceId: row.sourceId, message: outcome?.message ?? 'The association failed.' })
  }
  return { done, refused }
}

async function removeObsolete(session: PushSession, kind: AssociationKind): Promise<void> {
  const { deps, claim, access } = session
  const limit = deps.crm.limits.pairsPerRead
  for (;;) {
    access.signal?.throwIfAborted()
    const rows = await inOrganization(deps.database, claim.organizationId, (tenant) =>
      listObsoleteAssociations(tenant, access.portalId, kind, limit),
    )
    if (rows.length === 0) return
    await inRun(deps.database, claim, async () => undefined)
    await deps.crm.dissociate(
      access,
      session.objectTypes[kind.kind],
      targetOf(session, kind),
      rows.map(({ fromRecordId, toRecordId }) => ({ fromId: fromRecordId, toId: toRecordId })),
    )
    await inRun(deps.database, claim, (tenant) => deleteAssociations(tenant, access.portalId, kind, rows))
    if (rows.length < limit) return
  }
}
