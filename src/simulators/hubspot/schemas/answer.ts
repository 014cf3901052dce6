import type { AssociationType, Schema } from '../entities.ts'
import { fullyQualifiedName } from '../object-types.ts'
import { propertyAnswer } from '../properties/answer.ts'
import { listProperties } from '../properties/define.ts'
import type { World } from '../world.ts'

/** A schema as HubSpot answers it, with its properties and its ties in both directions. */
export function schemaAnswer(world: World, schema: Schema) {
  const ties = [...world.associationTypes.values()].filter(
    (type) =>
      type.hubId === schema.hubId && (type.fromTypeId === schema.typeId || type.toTypeId === schema.typeId),
  )
  return {
    id: schema.typeId.slice('2-'.length),
    objectTypeId: schema.typeId,
    name: schema.name,
    fullyQualifiedName: fullyQualifiedName(schema),
    labels: schema.labels,
    description: schema.description,
    primaryDisplayProperty: schema.primaryDisplayProperty,
    secondaryDisplayProperties: schema.secondaryDisplayProperties,
    requiredProperties: schema.requiredProperties,
    searchableProperties: schema.searchableProperties,
    allowsSensitiveProperties: false,
    archived: schema.archived,
    properties: listProperties(world, schema.hubId, schema.typeId).map(propertyAnswer),
    associations: ties.filter((type) => type.label === null).map((type) => tieAnswer(type, schema.createdAt)),
    createdAt: new Date(schema.createdAt).toISOString(),
    updatedAt: new Date(schema.updatedAt).toISOString(),
  }
}

export function tieAnswer(type: AssociationType, createdAt: number) {
  return {
    id: String(type.id),
    name: type.name,
    fromObjectTypeId: type.fromTypeId,
    toObjectTypeId: type.toTypeId,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(createdAt).toISOString(),
  }
}
