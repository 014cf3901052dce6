import { companyTypeId, contactTypeId, dealTypeId, type Schema } from './entities.ts'
import { HubspotError } from './errors.ts'
import type { World } from './world.ts'

/** An object type as it appears in paths. */
export type ObjectType = {
  readonly typeId: string
  /** The upper-case noun in messages, for example CONTACT. */
  readonly noun: string
  /** The key of the type in inline associations of an answer. */
  readonly pluralKey: string
  readonly singularKey: string
  readonly schema: Schema | null
}

const contact: ObjectType = {
  typeId: contactTypeId,
  noun: 'CONTACT',
  pluralKey: 'contacts',
  singularKey: 'contact',
  schema: null,
}
const company: ObjectType = {
  typeId: companyTypeId,
  noun: 'COMPANY',
  pluralKey: 'companies',
  singularKey: 'company',
  schema: null,
}

const deal: ObjectType = {
  typeId: dealTypeId,
  noun: 'DEAL',
  pluralKey: 'deals',
  singularKey: 'deal',
  schema: null,
}

const standardTypes = new Map<string, ObjectType>([
  ...['0-1', 'contact', 'contacts'].map((name) => [name, contact] as const),
  ...['0-2', 'company', 'companies'].map((name) => [name, company] as const),
  ...['0-3', 'deal', 'deals'].map((name) => [name, deal] as const),
])

/**
 * Resolves the type in a path: a standard name, `2-N`, or `p{hubId}_{name}`. A bare custom name gets HubSpot's
 * "Unable to infer object type" (a body without a category, as seen live).
 */
export function getObjectType(world: World, hubId: number, named: string): ObjectType {
  const standard = standardTypes.get(named.toLowerCase())
  if (standard !== undefined) return standard
  const schema = findSchema(world, hubId, named)
  if (schema === undefined || schema.archived) {
    throw new HubspotError(400, { message: `Unable to infer object type from: ${named}` })
  }
  return {
    typeId: schema.typeId,
    noun: schema.typeId,
    pluralKey: fullyQualifiedName(schema),
    singularKey: schema.name,
    schema,
  }
}

/** Finds a custom schema, archived or not, by `2-N` or fully qualified name. */
export function findSchema(world: World, hubId: number, named: string): Schema | undefined {
  const byId = world.schemas.get(`${hubId}/${named}`)
  if (byId !== undefined) return byId
  return listSchemas(world, hubId).find((schema) => fullyQualifiedName(schema) === named)
}

export function listSchemas(world: World, hubId: number): Schema[] {
  return [...world.schemas.values()].filter((schema) => schema.hubId === hubId)
}

export function fullyQualifiedName(schema: Schema): string {
  return `p${schema.hubId}_${schema.name}`
}
