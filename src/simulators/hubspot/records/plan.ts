import { checkSideLimit } from '../associations/tie-limits.ts'
import { type HubspotJson, isJsonObject, objectAt, objectsAt, textAt } from '../body.ts'
import { type AssociationType, contactTypeId, type HubspotRecord } from '../entities.ts'
import { HubspotError, invalidInput } from '../errors.ts'
import { checkRoom } from '../limits.ts'
import { checkedProperties, checkRequired, type WritePlace } from './check-properties.ts'
import { findRecord } from './find.ts'
import { uniqueKeys } from './record-index.ts'

/** A tie that is created together with its record. */
type PlannedTie = {
  readonly toTypeId: string
  readonly toId: string
  readonly types: AssociationType[]
}

/** A checked write, which can no longer fail. `record` is the record before it, null for a create. */
export type PlannedWrite = {
  readonly record: HubspotRecord | null
  readonly properties: Readonly<Record<string, string>>
  readonly ties: readonly PlannedTie[]
  /** Properties that the answer shows in addition to those that HubSpot always adds. */
  readonly namesSent: readonly string[]
}

/** What earlier rows of the same batch have claimed: unique values, and room for new records. */
export type Claims = Set<string>

const newRecord = 'new record '

export function planCreate(place: WritePlace, claims: Claims, input: HubspotJson): PlannedWrite {
  const given = objectAt(input, 'properties')
  const properties = checkedProperties(place, {}, given)
  checkRequired(place, properties)
  const planned = [...claims].filter((claim) => claim.startsWith(newRecord)).length
  checkRoom(place.world, place.portal, place.type, planned)
  claimUniqueValues(place, claims, null, properties)
  const ties = plannedTies(place, input)
  claims.add(`${newRecord}${planned}`)
  return { record: null, properties, ties, namesSent: Object.keys(given) }
}

export function planUpdate(
  place: WritePlace,
  claims: Claims,
  record: HubspotRecord,
  given: HubspotJson,
): PlannedWrite {
  const properties = checkedProperties(place, record.properties, given)
  claimUniqueValues(place, claims, record, properties)
  return { record, properties, ties: [], namesSent: Object.keys(given) }
}

function claimUniqueValues(
  place: WritePlace,
  claims: Claims,
  record: HubspotRecord | null,
  properties: PlannedWrite['properties'],
): void {
  const { world, portal, type } = place
  const draft = { ...emptyRecord, hubId: portal.hubId, typeId: type.typeId, properties }
  const isUnique = (name: string) => world.isUnique(portal.hubId, type.typeId, name)
  const keys = uniqueKeys(draft, isUnique)
  for (const key of keys) {
    const holder = world.recordIndex.holderOf(key)
    if (holder !== undefined && holder !== record?.id) throw valueTaken(place, key, record?.id, holder)
    if (holder === undefined && claims.has(key)) throw valueTaken(place, key, record?.id, 'another input')
  }
  for (const key of keys) claims.add(key)
}

const emptyRecord: HubspotRecord = {
  hubId: 0,
  typeId: '',
  id: '',
  properties: {},
  createdAt: 0,
  updatedAt: 0,
  archivedAt: null,
  mergedInto: null,
}

function valueTaken(place: WritePlace, key: string, id: string | undefined, holder: string): HubspotError {
  const [hubId, typeId, property, ...value] = key.split('/')
  if (place.type.typeId === contactTypeId && property === 'email') {
    const message = `Contact already exists. Existing ID: ${holder}`
    return new HubspotError(409, { message, category: 'CONFLICT' })
  }
  const coordinates = `portalId=${hubId}, objectTypeId=${typeId}, propertyName=${property}, value=${value.join('/')}`
  return invalidInput(
    `Cannot set PropertyValueCoordinates{${coordinates}} on ${id ?? 'a new record'}. ${holder} already has that value.`,
  )
}

/** Reads the inline associations of a create: the records must exist, and the kinds be defined for this type. */
function plannedTies(place: WritePlace, input: HubspotJson): PlannedTie[] {
  const { world, portal, type } = place
  return objectsAt(input, 'associations').map((association) => {
    const toId = textAt(objectAt(association, 'to'), 'id') ?? ''
    const types = readAssociationTypes(place, association['types'])
    const [first] = types
    if (first === undefined) throw invalidInput('Inline associations need at least one association type')
    if (types.some((one) => one.fromTypeId !== type.typeId || one.toTypeId !== first.toTypeId)) {
      throw invalidInput(`Association types do not lead from object type ${type.typeId} to one other type`)
    }
    if (findRecord(world, portal.hubId, first.toTypeId, toId) === undefined) {
      throw invalidInput(`Invalid object IDs: ${first.toTypeId}=${toId} is not valid`)
    }
    checkSideLimit(world, {
      hubId: portal.hubId,
      fromTypeId: first.toTypeId,
      fromId: toId,
      toTypeId: type.typeId,
    })
    return { toTypeId: first.toTypeId, toId, types }
  })
}

/** The association types by category and number; an unknown one refuses the row. */
export function readAssociationTypes(
  place: { readonly world: WritePlace['world']; readonly portal: WritePlace['portal'] },
  listed: unknown,
): AssociationType[] {
  if (!Array.isArray(listed)) return []
  return listed.filter(isJsonObject).map((named) => {
    const id = textAt(named, 'associationTypeId') ?? ''
    const type = place.world.associationTypes.get(`${place.portal.hubId}/${id}`)
    if (type === undefined || type.category !== textAt(named, 'associationCategory')) {
      throw invalidInput(`Association type ${textAt(named, 'associationCategory')} ${id} does not exist`)
    }
    return type
  })
}
