import type { z } from 'zod'
import type { CrmKind, CrmTarget } from '#domain/crm-record.ts'
import type { CrmObject } from '../../crm.ts'
import type { propertyAnswer, schemaAnswer } from '../answers.ts'
import { getSpelling, targetsOf, targetTypeId } from '../to-hubspot/object-spelling.ts'
import { spellings } from '../to-hubspot/our-objects.ts'
import { definitionOf, type PropertySpelling } from '../to-hubspot/property.ts'

export type StandingSchema = z.output<typeof schemaAnswer>
export type StandingProperty = z.output<typeof propertyAnswer>

/** The schema that has the name of our object, if there is one. */
export function schemaNamed(schemas: readonly StandingSchema[], kind: CrmKind): StandingSchema | undefined {
  return schemas.find(({ name }) => name === spellings[kind].name)
}

/** One of our objects as it stands in a portal; undefined stands for an object that is not there. */
export function inspectSchema(
  kind: CrmKind,
  schema: StandingSchema | undefined,
  subscriptionTypeId: string | null,
): CrmObject {
  const missing = { missingFields: [], missingOptions: [], missingTargets: [] }
  const converted = inspectConverted(kind, schema)
  if (schema === undefined)
    return { kind, objectTypeId: null, isMadeByUs: false, ...missing, converted, problem: null }
  return {
    kind,
    objectTypeId: schema.objectTypeId,
    isMadeByUs: isMadeByUs(kind, schema),
    missingFields: missingFields(kind, schema),
    missingOptions: missingOptions(kind, schema),
    missingTargets: missingTargets(kind, schema, subscriptionTypeId),
    converted,
    problem: problemOf(kind, schema),
  }
}

/**
 * Only our own request sends these descriptions; the instructions for people ask for none. The key's description counts
 * too, because no document promises that the object's is answered.
 */
export function isMadeByUs(kind: CrmKind, schema: StandingSchema): boolean {
  const key = getSpelling(kind, spellings[kind].key)
  const ofKey = propertiesOfSchema(schema).get(key.name)?.description
  return schema.description === spellings[kind].description || ofKey === definitionOf(key).description
}

/** The live properties by name. */
export function propertiesOfSchema(schema: StandingSchema): Map<string, StandingProperty> {
  const live = (schema.properties ?? []).filter(({ archived }) => archived !== true)
  return new Map(live.map((property) => [property.name, property]))
}

/** Our fields for which the schema has no property; none where it does not list its properties. */
export function missingFields(kind: CrmKind, schema: StandingSchema): string[] {
  if (schema.properties === undefined) return []
  const properties = propertiesOfSchema(schema)
  return Object.keys(spellings[kind].fields).filter((field) => !properties.has(getSpelling(kind, field).name))
}

function missingOptions(kind: CrmKind, schema: StandingSchema): string[] {
  const properties = propertiesOfSchema(schema)
  return Object.keys(spellings[kind].fields).filter((field) => {
    const { name, options = [] } = getSpelling(kind, field)
    const standing = properties.get(name)?.options
    return standing !== undefined && lackingOptions(options, standing).length > 0
  })
}

/** The types of record with which our records cannot be associated yet. */
export function missingTargets(
  kind: CrmKind,
  schema: StandingSchema,
  subscriptionTypeId: string | null,
): CrmTarget[] {
  const isTiedTo = (typeId: string) =>
    schema.associations?.some(
      ({ fromObjectTypeId, toObjectTypeId }) =>
        (fromObjectTypeId === schema.objectTypeId && toObjectTypeId === typeId) ||
        (toObjectTypeId === schema.objectTypeId && fromObjectTypeId === typeId),
    )
  return targetsOf[kind].filter(
    (target) =>
      (target !== 'subscription' || subscriptionTypeId !== null) &&
      schema.associations !== undefined &&
      !isTiedTo(targetTypeId(target, subscriptionTypeId)),
  )
}

/** Our options that a list of HubSpot does not have. */
export function lackingOptions<Option extends { value: string }>(
  ours: readonly Option[],
  standing: readonly { value: string }[],
): Option[] {
  return ours.filter(({ value }) => !standing.some((option) => option.value === value))
}

/** The fields of converted amounts that can be written, and those that are not there; the rest has another form. */
export function inspectConverted(kind: CrmKind, schema: StandingSchema | undefined): CrmObject['converted'] {
  const properties = schema === undefined ? new Map<string, never>() : propertiesOfSchema(schema)
  const [usable, missing]: [string[], string[]] = [[], []]
  for (const [field, spelling] of Object.entries(spellings[kind].converted)) {
    const property = properties.get(spelling.name)
    if (property === undefined) missing.push(field)
    else if (unusableBecause(spelling, property) === null) usable.push(field)
  }
  return { usable, missing }
}

/** Why one of our properties cannot be written as it stands; null when it can. */
export function unusableBecause(
  spelling: PropertySpelling,
  property: StandingProperty,
): 'type' | 'unique' | 'calculated' | null {
  if (property.type !== undefined && property.type !== spelling.type) return 'type'
  if (property.calculated) return 'calculated'
  return spelling.isUnique && property.hasUniqueValue !== true ? 'unique' : null
}

/** An object must have our unique key and our types. Otherwise writes would fail or change a stranger's object. */
function problemOf(kind: CrmKind, schema: StandingSchema): string | null {
  const { name, key, fields } = spellings[kind]
  const properties = propertiesOfSchema(schema)
  const keySpelling = getSpelling(kind, key)
  const standingKey = properties.get(keySpelling.name)
  if (properties.size > 0 && standingKey === undefined) {
    return `HubSpot's object named ${name} lacks the property ${keySpelling.name}, by which its records are found. Restore it there from the archived properties, which brings its values back, then retry.`
  }
  if (standingKey && standingKey.hasUniqueValue !== true) {
    return `HubSpot already has an object named ${name} whose property ${keySpelling.name} is not unique. Delete or rename that object, then retry.`
  }
  const changed = Object.values(fields).filter((field) => {
    const property = properties.get(field.name)
    return property !== undefined && unusableBecause(field, property) !== null
  })
  if (changed.length === 0) return null
  const names = changed.map((field) => field.name).join(', ')
  return `The type of these properties of ${name} was changed in HubSpot: ${names}. Delete them there, then retry.`
}
