import type { Deps } from '../deps.ts'
import {
  type AssociationKind,
  type AssociationRow,
  associationKinds,
  deleteAssociations,
  listWantedAssociations,
  saveAssociations,
} from '../store/crm-associations.ts'
import { type CrmObjectRow, listCrmObjects } from '../store/crm-objects.ts'
import { inOrganization } from '../store/database.ts'
import { type CrmSession, withCrm } from './crm/with-crm.ts'

/** What one kind of association lacks in the CRM. The rows are the first of them, the count is all of them. */
export type AssociationCheck = AssociationKind & {
  checked: number
  missing: number
  rows: AssociationRow[]
}

const rowsShownMax = 200

/** Reads the CRM in bulk and compares it with what should be there, over all kinds. Changes nothing. */
export function checkAssociations(deps: Deps, organizationId: number): Promise<AssociationCheck[]> {
  return withCrm(deps, organizationId, async (session) => {
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
  })
}

/** Makes what a check of one kind finds missing; gives how many were tried and how many stand now. */
export function fixAssociations(
  deps: Deps,
  organizationId: number,
  kind: AssociationKind,
): Promise<{ attempted: number; successful: number }> {
  return withCrm(deps, organizationId, async (session) => {
    const { portalId } = session.access
    const counts = { attempted: 0, successful: 0 }
    await eachMissing(deps, organizationId, session, kind, async (rows, _checked, place) => {
      if (rows.length === 0) return
      const pairs = rows.map(({ fromRecordId, toRecordId }) => ({ fromId: fromRecordId, toId: toRecordId }))
      const outcomes = await deps.crm.associate(session.access, place.from, place.to, pairs)
      const made = new Set(
        outcomes.filter(({ isDone }) => isDone).map(({ fromId, toId }) => `${fromId}/${toId}`),
      )
      const done = rows.filter(({ fromRecordId, toRecordId }) => made.has(`${fromRecordId}/${toRecordId}`))
      counts.attempted += rows.length
      counts.successful += done.length
      await inOrganization(deps.database, organizationId, async (tenant) => {
        await deleteAssociations(tenant, portalId, kind, rows)
        await saveAssociations(tenant, portalId, kind, done, deps.now())
      })
    })
    return counts
  })
}

type Place = { from: string; to: 'company' | 'contact' | { objectTypeId: string } }

async function eachMissing(
  deps: Deps,
  organizationId: number,
  { access }: CrmSession,
  kind: AssociationKind,
  take: (missing: AssociationRow[], checked: number, place: Place) => Promise<void>,
): Promise<void> {
  const limit = deps.crm.limits.pairsPerRead
  const place = placeOf(
    kind,
    await inOrganization(deps.database, organizationId, (tenant) => listCrmObjects(tenant, access.portalId)),
  )
  if (place === undefined) return
  let afterId = ''
  for (;;) {
    const wanted = await inOrganization(deps.database, organizationId, (tenant) =>
      listWantedAssociations(tenant, access.portalId, kind, { afterSourceId: afterId, limit }),
    )
    const last = wanted.at(-1)
    if (!last) return
    const fromIds = wanted.map(({ fromRecordId }) => fromRecordId)
    const found = await deps.crm.listAssociated(access, place.from, place.to, fromIds)
    const missing = wanted.filter(
      ({ fromRecordId, toRecordId }) => !found.get(fromRecordId)?.includes(toRecordId),
    )
    await take(missing, wanted.length, place)
    if (wanted.length < limit) return
    afterId = last.sourceId
  }
}

/** Undefined while the objects were never made: nothing can be missing then. */
function placeOf({ kind, target }: AssociationKind, objects: readonly CrmObjectRow[]): Place | undefined {
  const typeOf = (one: CrmObjectRow['kind']) => objects.find((row) => row.kind === one)?.objectTypeId
  const from = typeOf(kind)
  const subscription = typeOf('subscription')
  if (!from || !subscription) return undefined
  return { from, to: target === 'subscription' ? { objectTypeId: subscription } : target }
}
