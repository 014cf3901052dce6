import { z } from 'zod'
import { type CrmKind, crmKinds } from '#domain/crm-record.ts'
import type { CrmObject, CrmPort } from '../crm.ts'
import type { CrmAccess } from '../crm-directory.ts'
import { limitAnswer, propertyAnswer, schemaAnswer, schemasAnswer } from './answers.ts'
import type { HubspotClient } from './client.ts'
import { HubspotError } from './hubspot-error.ts'
import { getSpelling, schemaOf, targetsOf, targetTypeId } from './to-hubspot/object-spelling.ts'
import { spellings } from './to-hubspot/our-objects.ts'
import { definitionOf, type PropertySpelling } from './to-hubspot/property.ts'
import { paths } from './version.ts'

type Schema = z.output<typeof schemaAnswer>
type Property = z.output<typeof propertyAnswer>
type StandingOption = NonNullable<Property['options']>[number]
type ObjectCalls = Pick<
  CrmPort,
  | 'describeObject'
  | 'findObjects'
  | 'findFreeObjectSlots'
  | 'createObject'
  | 'addFields'
  | 'addOptions'
  | 'addTargets'
>

/**
 * Creates and checks our objects, their properties and association types. Only the list is reliable: reads of a
 * single object are outdated for up to a minute.
 */
export function createObjectCalls(call: HubspotClient): ObjectCalls {
  return {
    describeObject: (kind) => ({ name: spellings[kind].name, label: spellings[kind].plural }),
    async findObjects(access) {
      const { results } = await call(access, { method: 'GET', path: paths.schemas, answer: schemasAnswer })
      const schemas = results.filter(({ archived }) => archived !== true)
      const schemaNamed = (kind: CrmKind) => schemas.find(({ name }) => name === spellings[kind].name)
      const subscriptionTypeId = schemaNamed('subscription')?.objectTypeId ?? null
      return crmKinds.map((kind) => inspect(kind, schemaNamed(kind), subscriptionTypeId))
    },
    async findFreeObjectSlots(access) {
      try {
        const { limit, usage } = await call(access, {
          method: 'GET',
          path: paths.objectTypeLimits,
          answer: limitAnswer,
        })
        return Math.max(0, limit - usage)
      } catch (error) {
        if (error instanceof HubspotError && (error.kind === 'forbidden' || error.kind === 'not_found'))
          return null
        throw error
      }
    },
    async createObject(access, kind, subscriptionTypeId) {
      try {
        const created = await call(access, {
          method: 'POST',
          path: paths.schemas,
          json: schemaOf(kind, subscriptionTypeId),
          answer: schemaAnswer,
          isRepeatable: false,
        })
        return created.objectTypeId
      } catch (error) {
        if (error instanceof HubspotError && error.status === 409) return null
        throw error
      }
    },
    async addFields(access, kind, objectTypeId, fields) {
      for (const field of fields) {
        await addProperty(call, access, objectTypeId, {
          ...definitionOf(getSpelling(kind, field)),
          groupName: `${spellings[kind].name}_information`,
        })
      }
    },
    async addOptions(access, kind, objectTypeId, fields) {
      for (const field of fields) await addOptions(call, access, objectTypeId, getSpelling(kind, field))
    },
    async addTargets(access, kind, objectTypes, targets) {
      const fromTypeId = objectTypes[kind]
      if (fromTypeId === undefined) throw new TypeError(`no object type of ${kind}`)
      for (const target of targets) {
        const toTypeId = targetTypeId(target, objectTypes.subscription ?? null)
        await call(access, {
          method: 'POST',
          path: paths.schemaAssociations(fromTypeId),
          json: {
            fromObjectTypeId: fromTypeId,
            toObjectTypeId: toTypeId,
            name: `${spellings[kind].name}_to_${target}`,
          },
          answer: z.looseObject({}),
          isRepeatable: false,
        })
      }
    },
  }
}

/** Adds a property. Returns false when its name is already taken. */
export async function addProperty(
  call: HubspotClient,
  access: CrmAccess,
  typeId: string,
  definition: object,
): Promise<boolean> {
  try {
    await call(access, {
      method: 'POST',
      path: paths.properties(typeId),
      json: definition,
      answer: z.looseObject({}),
    })
    return true
  } catch (error) {
    if (!(error instanceof HubspotError && error.status === 409)) throw error
    return false
  }
}

/**
 * HubSpot replaces the whole list of options, so the request contains all existing ones, each with every required
 * field.
 */
async function addOptions(
  call: HubspotClient,
  access: CrmAccess,
  typeId: string,
  { name, options = [] }: PropertySpelling,
): Promise<void> {
  const path = paths.property(typeId, name)
  const { options: standing = [] } = await call(access, { method: 'GET', path, answer: propertyAnswer })
  const added = lackingOptions(options, standing)
  const whole: readonly StandingOption[] = [...standing, ...added]
  const json = {
    options: whole.map((option, index) => ({
      ...option,
      label: option.label ?? option.value,
      displayOrder: option.displayOrder ?? index,
      hidden: option.hidden ?? false,
    })),
  }
  if (added.length > 0) await call(access, { method: 'PATCH', path, json, answer: z.looseObject({}) })
}

function lackingOptions<Option extends { value: string }>(
  ours: readonly Option[],
  standing: readonly { value: string }[],
): Option[] {
  return ours.filter(({ value }) => !standing.some((option) => option.value === value))
}

function inspect(kind: CrmKind, schema: Schema | undefined, subscriptionTypeId: string | null): CrmObject {
  if (schema === undefined) {
    return {
      kind,
      objectTypeId: null,
      missingFields: [],
      missingOptions: [],
      missingTargets: [],
      problem: null,
    }
  }
  const { fields } = spellings[kind]
  const properties = new Map(schema.properties?.map((property) => [property.name, property]))
  const isTiedTo = (typeId: string) =>
    schema.associations?.some(
      ({ fromObjectTypeId, toObjectTypeId }) =>
        (fromObjectTypeId === schema.objectTypeId && toObjectTypeId === typeId) ||
        (toObjectTypeId === schema.objectTypeId && fromObjectTypeId === typeId),
    )
  const missingTargets = targetsOf[kind].filter(
    (target) =>
      (target !== 'subscription' || subscriptionTypeId !== null) &&
      schema.associations !== undefined &&
      !isTiedTo(targetTypeId(target, subscriptionTypeId)),
  )
  return {
    kind,
    objectTypeId: schema.objectTypeId,
    missingFields:
      schema.properties === undefined
        ? []
        : Object.keys(fields).filter((field) => !properties.has(getSpelling(kind, field).name)),
    missingOptions: Object.keys(fields).filter((field) => {
      const { name, options = [] } = getSpelling(kind, field)
      const standing = properties.get(name)?.options
      return standing !== undefined && lackingOptions(options, standing).length > 0
    }),
    missingTargets,
    problem: problemOf(kind, properties),
  }
}

/**
 * An object of our name must have our unique key and our types. Otherwise writes would fail or change a stranger's
 * object.
 */
function problemOf(kind: CrmKind, properties: ReadonlyMap<string, Property>): string | null {
  const { name, key, fields } = spellings[kind]
  const keyName = getSpelling(kind, key).name
  if (properties.size > 0 && properties.get(keyName)?.hasUniqueValue !== true) {
    return `HubSpot already has an object named ${name} whose property ${keyName} is missing or not unique. Delete or rename that object, then retry.`
  }
  const changed = Object.values(fields).filter((field) => {
    const type = properties.get(field.name)?.type
    return type !== undefined && type !== field.type
  })
  if (changed.length === 0) return null
  const names = changed.map(({ name }) => name).join(', ')
  return `The type of these properties of ${name} was changed in HubSpot: ${names}. Delete them there, then retry.`
}
