import { asSentence } from '../../providers/provider-error.ts'
import type { AssociationKind, AssociationRow } from '../../store/crm/crm-associations.ts'
import { listObsoleteBeside } from '../../store/crm/crm-obsolete.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import type { PushSession } from './push-session.ts'
import { type RefusedRow, type Settled, writePairs } from './write-pairs.ts'

/**
 * Retries associations that the CRM may have refused because obsolete ones use up a limit: removes those first, and
 * restores one if its replacement fails again. After a crash, old ones stay noted until their replacements exist.
 */
export async function makeRoom(
  session: PushSession,
  kind: AssociationKind,
  first: Settled,
): Promise<Settled> {
  const { deps, claim, access } = session
  const open = [...first.refused, ...first.held]
  if (open.length === 0) return first
  const former = await inOrganization(deps.database, claim.organizationId, (tenant) =>
    listObsoleteBeside(tenant, access.portalId, kind, open),
  )
  if (former.length === 0) return first
  const [sourceIds, recordIds] = [sourcesOf(former), new Set(former.map(({ toRecordId }) => toRecordId))]
  const isBeside = (row: RefusedRow) => sourceIds.has(row.sourceId) || recordIds.has(row.toRecordId)
  const isElsewhere = (row: RefusedRow) => !isBeside(row)
  const { done: taken } = await writePairs(session, kind, 'dissociate', former)
  const again = await writePairs(session, kind, 'associate', open.filter(isBeside))
  const isOpen = sourcesOf([...again.refused, ...again.unknown, ...again.held])
  const back = taken.filter(({ sourceId }) => isOpen.has(sourceId))
  const isBack = sourcesOf((await writePairs(session, kind, 'associate', back)).done)
  const told = again.refused.map((row) =>
    isBack.has(row.sourceId)
      ? { ...row, error: `${asSentence(row.error)} It stays with the former one until then.` }
      : row,
  )
  return {
    done: [...first.done, ...again.done],
    refused: [...first.refused.filter(isElsewhere), ...told],
    unknown: [...first.unknown, ...again.unknown],
    held: [...first.held.filter(isElsewhere), ...again.held],
  }
}

const sourcesOf = (rows: readonly AssociationRow[]) => new Set(rows.map(({ sourceId }) => sourceId))
