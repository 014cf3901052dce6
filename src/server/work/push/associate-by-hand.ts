import type { Deps } from '../../deps.ts'
import type { CrmPair } from '../../providers/crm.ts'
import { Refusal } from '../../refusal.ts'
import { saveAssociations } from '../../store/crm/crm-associations.ts'
import { listCrmObjects } from '../../store/crm/crm-objects.ts'
import { findRecordId, hasSource, isEventOf } from '../../store/crm/crm-records.ts'
import { compareAllNext } from '../../store/crm/push-due.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { withCrm } from '../crm/with-crm.ts'

export type HandMadeAssociation = {
  success: boolean
  message: string
  /** Subscription records that the event was already associated with. */
  associations: string[]
  result: { fromRecordId: string; toRecordId: string } | null
}

/** Associates one event record with one subscription record, for diagnosis, and returns the earlier associations. */
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
    if (!place.isOwn) await noteStray(deps, organizationId, access.portalId, ids.eventId, pair)
    const [outcome] = await deps.crm.associate(access, place.eventType, target, [pair])
    if (outcome?.isDone) {
      const result = { fromRecordId: pair.fromId, toRecordId: pair.toId }
      const made = associations.includes(place.toId)
        ? 'The association was there already, and nothing changed.'
        : 'The association was created.'
      const stray = ' The two do not belong together, so the next sync takes it back.'
      return { success: true, message: place.isOwn ? made : `${made}${stray}`, associations, result }
    }
    const message = outcome?.message ?? `${deps.crm.name} did not say what became of it.`
    return { success: false, message, associations, result: null }
  })
}

/** Notes an unwanted association before it is created, so that a later push removes it even after a crash. */
function noteStray(
  deps: Deps,
  organizationId: number,
  portalId: string,
  sourceId: string,
  { fromId, toId }: CrmPair,
): Promise<void> {
  const kind = { kind: 'event', target: 'subscription' } as const
  const row = { sourceId, fromRecordId: fromId, toRecordId: toId }
  return inOrganization(deps.database, organizationId, async (tenant) => {
    await compareAllNext(tenant)
    await saveAssociations(tenant, portalId, kind, [row], deps.now())
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
    if (!fromId || !eventType) {
      throw notThere('transaction', await hasSource(tenant, 'event', ids.eventId), deps)
    }
    if (!toId || !subscriptionType) {
      throw notThere('subscription', await hasSource(tenant, 'subscription', ids.subscriptionId), deps)
    }
    const isOwn = await isEventOf(tenant, ids.eventId, ids.subscriptionId)
    return { fromId, toId, eventType, subscriptionType, isOwn }
  })
}

function notThere(what: string, isKnown: boolean, deps: Deps): Refusal {
  if (!isKnown) return new Refusal('not_found', `There is no ${what} with this ID here. Check the ID.`)
  return new Refusal('not_found', `This ${what} has no record in ${deps.crm.name} yet. Sync it first.`)
}
