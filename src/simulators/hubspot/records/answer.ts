import { associationKey } from '../associations/association-index.ts'
import { typesOf } from '../associations/link.ts'
import { companyTypeId, contactTypeId, type HubspotRecord } from '../entities.ts'
import { getObjectType } from '../object-types.ts'
import { instantProperties } from '../properties/standard.ts'
import type { World } from '../world.ts'
import { calculatedValue } from './calculated.ts'
import { findRecord } from './find.ts'

const inlineAssociationLimit = 100

/** Address of the page that shows a record. */
function recordUrl(world: World, record: { hubId: number; typeId: string; id: string }): string {
  return `${world.settings.appUrl}/contacts/${record.hubId}/record/${record.typeId}/${record.id}`
}

/** A record as HubSpot answers it: values are text or null, and only requested or default properties appear. */
export function recordAnswer(
  world: World,
  record: HubspotRecord,
  names: readonly string[] = defaultNames(record.typeId),
  properties: HubspotRecord['properties'] = record.properties,
) {
  const instants = instantProperties(record.typeId)
  const shown: Record<string, string | null> = {}
  for (const name of [...names, instants.created, instants.modified, 'hs_object_id']) {
    const calculated = calculatedValue(world, record, name)
    shown[name] = calculated === undefined ? (properties[name] ?? null) : calculated
  }
  return {
    id: record.id,
    properties: shown,
    createdAt: new Date(record.createdAt).toISOString(),
    updatedAt: new Date(record.updatedAt).toISOString(),
    archived: record.archivedAt !== null,
    ...(record.archivedAt === null ? {} : { archivedAt: new Date(record.archivedAt).toISOString() }),
    url: recordUrl(world, record),
  }
}

/** The `associations` of a listed or single record for the requested types, one entry for each label. */
export function associationsAnswer(world: World, record: HubspotRecord, typeNames: readonly string[]) {
  const byType: Record<string, unknown> = {}
  for (const named of typeNames) {
    const type = getObjectType(world, record.hubId, named)
    const side = { hubId: record.hubId, fromTypeId: record.typeId, fromId: record.id, toTypeId: type.typeId }
    const ids = world.associationIndex
      .idsFrom(side)
      .filter((id) => findRecord(world, record.hubId, type.typeId, id))
    const results = ids.slice(0, inlineAssociationLimit).flatMap((id) => {
      const association = world.associations.get(associationKey(side, id))
      return association === undefined
        ? []
        : typesOf(world, association).map((kind) => ({ id, type: kind.name }))
    })
    const last = ids[inlineAssociationLimit - 1]
    const paging =
      ids.length > inlineAssociationLimit && last !== undefined ? { paging: { next: { after: last } } } : {}
    if (results.length > 0) byType[type.pluralKey] = { results, ...paging }
  }
  return Object.keys(byType).length === 0 ? {} : { associations: byType }
}

function defaultNames(typeId: string): readonly string[] {
  if (typeId === contactTypeId) return ['email', 'firstname', 'lastname']
  return typeId === companyTypeId ? ['name', 'domain'] : []
}
