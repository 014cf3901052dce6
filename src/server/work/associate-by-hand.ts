import type { Deps } from '../deps.ts'
import { Refusal } from '../refusal.ts'
import { listCrmObjects } from '../store/crm-objects.ts'
import { findRecordId } from '../store/crm-records.ts'
import { inOrganization } from '../store/database.ts'
import { withCrm } from './crm/with-crm.ts'

export type HandMadeAssociation = {
  success: boolean
  message: string
  /** Subscription records that the event was associated with before. */
  associations: string[]
  result: { fromRecordId: string; toRecordId: string } | null
}

/** Associates one event record with one subscription record, for diagnosis; says what stood there before. */
export function associateByHand(
  deps: Deps,
  organizationId: number,
  ids: { eventId: string; subscriptionId: string },
): Promise<HandMadeAssociation> {
  return withCrm(deps, organizationId, async ({ access }) => {
    const place = await findPlace(deps, organizationId, access.portalId, ids)
    const target = { objectTypeId: place.subscriptionType }
    const before = await deps.crm.listAssociated(access, place.eventType, target, [place.fromId])
    const associations = before.get(place.fromId) ?? []
    const pair = { fromId: place.fromId, toId: place.toId }
    const [outcome] = await deps.crm.associate(access, place.eventType, target, [pair])
    if (outcome?.isDone) {
      const result = { fromRecordId: pair.fromId, toRecordId: pair.toId }
      return { success: true, message: 'The association was created.', associations, result }
    }
    const message = outcome?.message ?? `${deps.crm.name} did not say what became of it.`
    return { success: false, message, associations, result: null }
  })
}

function findPlace(
  deps: Deps,
  organizationId: number,
  portalId: string,
  ids: { eventId: string; subscriptionId: string },
) {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const objects = await listCrmObjects(tenant, portalId)
    const typeOf = (kind: 'event' | 'subscription') => objects.find((row) => row.kind === kind)?.objectTypeId
    const fromId = await findRecordId(tenant, portalId, 'event', ids.eventId)
    const toId = await findRecordId(tenant, portalId, 'subscription', ids.subscriptionId)
    const eventType = typeOf('event')
    const subscriptionType = typeOf('subscription')
    if (!fromId || !eventType) throw notThere('transaction', deps)
    if (!toId || !subscriptionType) throw notThere('subscription', deps)
    return { fromId, toId, eventType, subscriptionType }
  })
}

function notThere(what: string, deps: Deps): Refusal {
  return new Refusal('not_found', `This ${what} has no record in ${deps.crm.name} yet.`)
}
