import type { AssociationKind, AssociationRow } from '../../store/crm-associations.ts'
import { listObsoleteBeside } from '../../store/crm-obsolete.ts'
import { inOrganization } from '../../store/database.ts'
import type { PushSession } from './push-session.ts'
import { type RefusedRow, type Settled, writePairs } from './write-pairs.ts'

/**
 * Tries associations once more that may have been refused for the sake of others which should be no longer: those are
 * taken off first. What gets nothing in its place gets the former one back. A crash in between leaves the new ones due and
 * the former ones noted, which are let go of only when the new ones stand.
 */
export async function makeRoom(
  session: PushSession,
  kind: AssociationKind,
  refused: readonly RefusedRow[],
): Promise<Settled> {
  const { deps, claim, access } = session
  if (refused.length === 0) return { done: [], refused: [], unknown: [] }
  const former = await inOrganization(deps.database, claim.organizationId, (tenant) =>
    listObsoleteBeside(tenant, access.portalId, kind, refused),
  )
  if (former.length === 0) return { done: [], refused: [...refused], unknown: [] }
  const { done: taken } = await writePairs(session, kind, 'dissociate', former)
  const settled = await writePairs(session, kind, 'associate', refused)
  const isOpen = sourcesOf([...settled.refused, ...settled.unknown])
  const back = taken.filter(({ sourceId }) => isOpen.has(sourceId))
  const { done: standing } = await writePairs(session, kind, 'associate', back)
  const isBack = sourcesOf(standing)
  const told = settled.refused.map((row) =>
    isBack.has(row.sourceId)
      ? { ...row, error: `${row.error} It stays with the former one until then.` }
      : row,
  )
  return { ...settled, refused: told }
}

const sourcesOf = (rows: readonly AssociationRow[]) => new Set(rows.map(({ sourceId }) => sourceId))
