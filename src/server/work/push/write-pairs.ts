import type { CrmPairOutcome } from '../../providers/crm.ts'
import type { AssociationKind, AssociationRow } from '../../store/crm-associations.ts'
import { mayGoOn } from './may-go-on.ts'
import type { PushSession } from './push-session.ts'

export type RefusedRow = AssociationRow & { error: string }

/** What became of associations, as far as the CRM said. */
export type Settled = { done: AssociationRow[]; refused: RefusedRow[]; unknown: RefusedRow[] }

/** Makes associations, or takes them off, in as many calls as they need. */
export async function writePairs(
  session: PushSession,
  kind: AssociationKind,
  verb: 'associate' | 'dissociate',
  rows: readonly AssociationRow[],
): Promise<Settled> {
  const { deps, access, objectTypes } = session
  const settled: Settled = { done: [], refused: [], unknown: [] }
  const size = deps.crm.limits.pairsPerRead
  for (let start = 0; start < rows.length; start += size) {
    const some = rows.slice(start, start + size)
    await mayGoOn(session)
    const pairs = some.map(({ fromRecordId, toRecordId }) => ({ fromId: fromRecordId, toId: toRecordId }))
    const from = objectTypes[kind.kind]
    const part = settle(some, await deps.crm[verb](access, from, targetOf(session, kind), pairs))
    settled.done.push(...part.done)
    settled.refused.push(...part.refused)
    settled.unknown.push(...part.unknown)
  }
  return settled
}

function targetOf({ objectTypes }: PushSession, { target }: AssociationKind) {
  return target === 'subscription' ? { objectTypeId: objectTypes.subscription } : target
}

function settle(rows: readonly AssociationRow[], outcomes: readonly CrmPairOutcome[]): Settled {
  const byPair = new Map(outcomes.map((outcome) => [`${outcome.fromId}/${outcome.toId}`, outcome]))
  const settled: Settled = { done: [], refused: [], unknown: [] }
  for (const row of rows) {
    const outcome = byPair.get(`${row.fromRecordId}/${row.toRecordId}`)
    if (outcome?.isDone) settled.done.push(row)
    else if (outcome && !outcome.isUnknown) settled.refused.push({ ...row, error: outcome.message })
    else settled.unknown.push({ ...row, error: outcome?.message ?? 'Nothing is known of what became of it.' })
  }
  return settled
}
