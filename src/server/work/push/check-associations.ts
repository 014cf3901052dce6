import type { Deps } from '../../deps.ts'
import {
  type AssociationKind,
  type AssociationRow,
  associationKinds,
  listNotedTargets,
  listWantedAssociations,
} from '../../store/crm/crm-associations.ts'
import { type CrmObjectRow, listCrmObjects } from '../../store/crm/crm-objects.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { type CrmSession, withCrm } from '../crm/with-crm.ts'

/** The associations of one kind that the CRM lacks: `rows` holds the first ones, the count includes all. */
export type AssociationCheck = AssociationKind & {
  checked: number
  missing: number
  rows: AssociationRow[]
}

const rowsShownMax = 200

/** Reads the CRM in bulk and compares every kind of association with what should exist. Changes nothing. */
export function checkAssociations(
  deps: Deps,
  organizationId: number,
  signal?: AbortSignal,
): Promise<AssociationCheck[]> {
  const compare = async (session: CrmSession) => {
    const checks: AssociationCheck[] = []
    for (const kind of associationKinds) {
      const check: AssociationCheck = { ...kind, checked: 0, missing: 0, rows: [] }
      await eachMissing(deps, organizationId, session, kind, async (rows, checked) => {
        check.checked += checked
        check.missing += rows.length
        check.rows.push(...rows.slice(0, rowsShownMax - check.rows.length))
      })
      checks.push(check)
    }
    return checks
  }
  return withCrm(deps, organizationId, compare, signal)
}

/** The two object types that one kind of association connects. */
export type AssociationPlace = { from: string; to: 'company' | 'contact' | { objectTypeId: string } }

/** Passes on, page by page, the associations of one kind that the CRM lacks, with the number checked. */
export async function eachMissing(
  deps: Deps,
  organizationId: number,
  { access }: CrmSession,
  kind: AssociationKind,
  take: (missing: AssociationRow[], checked: number, place: AssociationPlace) => Promise<void>,
): Promise<void> {
  const limit = deps.crm.limits.pairsPerRead
  const place = placeOf(
    kind,
    await inOrganization(deps.database, organizationId, (tenant) => listCrmObjects(tenant, access.portalId)),
  )
  if (place === undefined) return
  let afterId = ''
  for (;;) {
    access.signal?.throwIfAborted()
    const wanted = await inOrganization(deps.database, organizationId, (tenant) =>
      listWantedAssociations(tenant, access.portalId, kind, { afterSourceId: afterId, limit }),
    )
    const last = wanted.at(-1)
    if (!last) return
    const fromIds = wanted.map(({ fromRecordId }) => fromRecordId)
    const found = await deps.crm.listAssociated(access, place.from, place.to, fromIds)
    const lacking = wanted.filter(
      ({ fromRecordId, toRecordId }) => !found.get(fromRecordId)?.includes(toRecordId),
    )
    const missing = await inOrganization(deps.database, organizationId, (tenant) =>
      withoutMoved(tenant, access.portalId, kind, lacking, found),
    )
    await take(missing, wanted.length, place)
    if (wanted.length < limit) return
    afterId = last.sourceId
  }
}

/** If somebody associated a record with another company, we do not count ours as missing. */
async function withoutMoved(
  tenant: Tenant,
  portalId: string,
  { kind, target }: AssociationKind,
  lacking: readonly AssociationRow[],
  found: ReadonlyMap<string, string[]>,
): Promise<AssociationRow[]> {
  const elsewhere = lacking.filter(({ fromRecordId }) => found.get(fromRecordId)?.length)
  if (target !== 'company' || elsewhere.length === 0) return [...lacking]
  const sourceIds = elsewhere.map(({ sourceId }) => sourceId)
  const noted = await listNotedTargets(tenant, portalId, kind, sourceIds)
  const ours = new Set(noted.map(({ sourceId, toRecordId }) => `${sourceId} ${toRecordId}`))
  const isMoved = ({ sourceId, fromRecordId }: AssociationRow) =>
    found.get(fromRecordId)?.some((id) => !ours.has(`${sourceId} ${id}`)) === true
  return lacking.filter((row) => !isMoved(row))
}

/** Undefined until the objects are created: before that nothing can be missing. */
function placeOf(
  { kind, target }: AssociationKind,
  objects: readonly CrmObjectRow[],
): AssociationPlace | undefined {
  const typeOf = (one: CrmObjectRow['kind']) => objects.find((row) => row.kind === one)?.objectTypeId
  const from = typeOf(kind)
  const subscription = typeOf('subscription')
  if (!from || !subscription) return undefined
  return { from, to: target === 'subscription' ? { objectTypeId: subscription } : target }
}
