import type { CrmPairOutcome } from '../../providers/crm.ts'
import type { AssociationKind, AssociationRow } from '../../store/crm/crm-associations.ts'
import { mayGoOn } from './may-go-on.ts'
import type { PushSession } from './push-session.ts'

export type RefusedRow = AssociationRow & { error: string }

/** The outcomes of associations, as far as the CRM reported them. */
export type Settled = {
  done: AssociationRow[]
  refused: RefusedRow[]
  unknown: RefusedRow[]
  /** Refused for a reason that concerns the whole account, or not sent because of that. */
  held: RefusedRow[]
}

/** Creates or removes associations in as many calls as they need. */
export async function writePairs(
  session: PushSession,
  kind: AssociationKind,
  verb: 'associate' | 'dissociate',
  rows: readonly AssociationRow[],
): Promise<Settled> {
  const { deps, access, objectTypes } = session
  const parts: Settled[] = []
  const { pairsPerBatch, pairsPerRead } = deps.crm.limits
  const size = verb === 'associate' ? pairsPerBatch : pairsPerRead
  for (let start = 0; start < rows.length; start += size) {
    const some = rows.slice(start, start + size)
    await mayGoOn(session)
    const pairs = some.map(({ fromRecordId, toRecordId }) => ({ fromId: fromRecordId, toId: toRecordId }))
    const from = objectTypes[kind.kind]
    parts.push(settledOf(some, await deps.crm[verb](access, from, targetOf(session, kind), pairs)))
  }
  return {
    done: parts.flatMap(({ done }) => done),
    refused: parts.flatMap(({ refused }) => refused),
    unknown: parts.flatMap(({ unknown }) => unknown),
    held: parts.flatMap(({ held }) => held),
  }
}

function targetOf({ objectTypes }: PushSession, { target }: AssociationKind) {
  return target === 'subscription' ? { objectTypeId: objectTypes.subscription } : target
}

/** What became of these associations by the CRM's answer. One that the answer leaves out is unknown. */
export function settledOf(rows: readonly AssociationRow[], outcomes: readonly CrmPairOutcome[]): Settled {
  const settled: Settled = { done: [], refused: [], unknown: [], held: [] }
  const byPair = new Map(outcomes.map((outcome) => [`${outcome.fromId}/${outcome.toId}`, outcome]))
  for (const row of rows) {
    const outcome = byPair.get(`${row.fromRecordId}/${row.toRecordId}`)
    if (outcome?.isDone) {
      settled.done.push(row)
      continue
    }
    const error = outcome?.message ?? 'Nothing is known of what became of it.'
    if (outcome?.held) settled.held.push({ ...row, error })
    else if (outcome && !outcome.isUnknown) settled.refused.push({ ...row, error })
    else settled.unknown.push({ ...row, error })
  }
  return settled
}
