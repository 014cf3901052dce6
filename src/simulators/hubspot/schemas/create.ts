import { defineTie } from '../associations/types.ts'
import { getTextAt, type HubspotJson, objectAt, objectsAt, textAt, textsAt } from '../body.ts'
import { companyTypeId, contactTypeId, type Portal, type Schema } from '../entities.ts'
import { HubspotError, invalidInput } from '../errors.ts'
import { getObjectType, listSchemas } from '../object-types.ts'
import { openAnswersOf } from '../open-answers.ts'
import { openGroup } from '../portals.ts'
import { defineProperty, findProperty, readDefinition } from '../properties/define.ts'
import { defineStandardProperties } from '../properties/standard.ts'
import type { World } from '../world.ts'

const secondaryDisplayLimit = 2

/** Makes a custom object type with its properties, group and ties, all or nothing. Rules: schemas guide. */
export function createSchema(world: World, portal: Portal, body: HubspotJson): Schema {
  const { hubId } = portal
  const name = getTextAt(body, 'name')
  if (!/^[A-Za-z]\w*$/.test(name)) {
    throw invalidInput(`Object name ${name} is invalid: letters, digits and underscores, first a letter`)
  }
  refuseTakenName(world, hubId, name)
  const used = listSchemas(world, hubId).filter((schema) => !schema.archived).length
  if (used >= portal.customObjectLimit) {
    throw invalidInput(
      `This account has reached its limit of ${portal.customObjectLimit} custom object types`,
    )
  }
  const unset = openAnswersOf(portal).requiredSchemaFields.filter((field) => !(field in body))
  if (unset.length > 0) throw invalidInput(`Some required fields were not set: [${unset.join(', ')}]`)
  const labels = objectAt(body, 'labels')
  const ties = (textsAt(body, 'associatedObjects') ?? []).map((named) => tieTarget(world, hubId, named))
  // The numbers differ between portals, as HubSpot's do.
  const typeId = `2-${36_000_000 + (hubId % 97) * 1_000 + world.nextNumber(`objectType/${hubId}`)}`
  const draft: Schema = {
    hubId,
    typeId,
    name,
    labels: { singular: getTextAt(labels, 'singular'), plural: getTextAt(labels, 'plural') },
    description: textAt(body, 'description') ?? '',
    primaryDisplayProperty: textAt(body, 'primaryDisplayProperty') ?? '',
    secondaryDisplayProperties: textsAt(body, 'secondaryDisplayProperties') ?? [],
    requiredProperties: textsAt(body, 'requiredProperties') ?? [],
    searchableProperties: textsAt(body, 'searchableProperties') ?? [],
    archived: false,
    createdAt: world.now(),
    updatedAt: world.now(),
  }
  const names = new Set(objectsAt(body, 'properties').map((property) => textAt(property, 'name')))
  checkNamedProperties(draft, (one) => names.has(one))
  defineProperties(world, draft, objectsAt(body, 'properties'))
  world.schemas.put(`${hubId}/${typeId}`, draft)
  for (const to of ties) defineTie(world, hubId, { from: { typeId, name }, to })
  return draft
}

/** Refuses undefined properties among the display, required and searchable ones. */
export function checkNamedProperties(schema: Schema, isDefined: (name: string) => boolean): void {
  if (schema.primaryDisplayProperty === '') {
    throw invalidInput('Some required fields were not set: [primaryDisplayProperty]')
  }
  if (schema.secondaryDisplayProperties.length > secondaryDisplayLimit) {
    throw invalidInput(`At most ${secondaryDisplayLimit} secondary display properties are allowed`)
  }
  const named = [
    schema.primaryDisplayProperty,
    ...schema.secondaryDisplayProperties,
    ...schema.requiredProperties,
    ...schema.searchableProperties,
  ]
  const unknown = named.filter((name) => !isDefined(name))
  if (unknown.length > 0)
    throw invalidInput(`Properties are not defined in the schema: ${unknown.join(', ')}`)
}

export function isDefinedIn(world: World, schema: Schema): (name: string) => boolean {
  return (name) => findProperty(world, schema.hubId, schema.typeId, name) !== undefined
}

/** A name stays reserved until the archived schema is purged. */
function refuseTakenName(world: World, hubId: number, name: string): void {
  if (listSchemas(world, hubId).every((schema) => schema.name.toLowerCase() !== name.toLowerCase())) return
  throw new HubspotError(409, {
    message: `An object type named '${name}' already exists in portal ${hubId}`,
    category: 'OBJECT_ALREADY_EXISTS',
    context: { name: [name] },
  })
}

function defineProperties(world: World, schema: Schema, definitions: readonly HubspotJson[]): void {
  const { hubId, typeId, name } = schema
  const group = `${name.toLowerCase()}_information`
  openGroup(world, hubId, typeId, group, `${schema.labels.singular} information`)
  defineStandardProperties(world, hubId, typeId, group)
  try {
    for (const definition of definitions) {
      defineProperty(world, readDefinition(world, hubId, typeId, definition, group))
    }
  } catch (error) {
    forgetDefinitions(world, hubId, typeId)
    throw error
  }
}

/** Removes everything that was defined for an object type. */
export function forgetDefinitions(world: World, hubId: number, typeId: string): void {
  for (const [key, group] of world.groups.entries()) {
    if (group.hubId === hubId && group.typeId === typeId) world.groups.delete(key)
  }
  for (const [key, property] of world.properties.entries()) {
    if (property.hubId === hubId && property.typeId === typeId) world.properties.delete(key)
  }
  for (const [key, type] of world.associationTypes.entries()) {
    const isOfType = type.fromTypeId === typeId || type.toTypeId === typeId
    if (type.hubId === hubId && isOfType) world.associationTypes.delete(key)
  }
}

/** The other end of a tie: a standard object or a custom object made earlier. */
export function tieTarget(world: World, hubId: number, named: string): { typeId: string; name: string } {
  if (named.toUpperCase() === 'CONTACT') return { typeId: contactTypeId, name: 'contact' }
  if (named.toUpperCase() === 'COMPANY') return { typeId: companyTypeId, name: 'company' }
  const type = getObjectType(world, hubId, named)
  return { typeId: type.typeId, name: type.singularKey }
}
