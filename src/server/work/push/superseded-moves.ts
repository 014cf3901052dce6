import {
  type AssociationKind,
  type AssociationRow,
  listNotedTargets,
} from '../../store/crm/crm-associations.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import type { PushSession } from './push-session.ts'

/**
 * Companies to which people moved subscription records before a later decision gave them another. Where one of the
 * `former` associations, which the decision ended, stands no longer, the move is what stands in its place.
 */
export async function listSupersededMoves(
  { deps, claim, access, objectTypes }: PushSession,
  { kind, target }: AssociationKind,
  former: readonly AssociationRow[],
): Promise<AssociationRow[]> {
  if (kind !== 'subscription' || target !== 'company' || former.length === 0) return []
  const fromIds = [...new Set(former.map(({ fromRecordId }) => fromRecordId))]
  const standing = await deps.crm.listAssociated(access, objectTypes.subscription, 'company', fromIds)
  const noted = await inOrganization(deps.database, claim.organizationId, (tenant) =>
    listNotedTargets(
      tenant,
      access.portalId,
      kind,
      former.map(({ sourceId }) => sourceId),
    ),
  )
  const ours = Map.groupBy(
    noted.filter((one) => one.target === target),
    ({ sourceId }) => sourceId,
  )
  return former.flatMap(({ sourceId, fromRecordId, toRecordId }) => {
    const companyIds = standing.get(fromRecordId) ?? []
    const isOurs = (id: string) => ours.get(sourceId)?.some((one) => one.toRecordId === id) === true
    // Without the company of the decision, the record would be left with none.
    const isSuperseded = !companyIds.includes(toRecordId) && companyIds.some(isOurs)
    const moves = isSuperseded ? companyIds.filter((id) => !isOurs(id)) : []
    return moves.map((id) => ({ sourceId, fromRecordId, toRecordId: id }))
  })
}
