import { z } from 'zod'
import { type CrmKind, crmKinds } from '#domain/crm-record.ts'
import type { CrmObject, CrmPort } from '../crm.ts'
import { limitAnswer, propertiesAnswer, type propertyAnswer, schemaAnswer, schemasAnswer } from './answers.ts'
import type { HubspotClient } from './client.ts'
import { HubspotError } from './hubspot-error.ts'
import { getSpelling, schemaOf, spellings, targetsOf, targetTypeId } from './to-hubspot/object-spelling.ts'
import { definitionOf } from './to-hubspot/property.ts'
import { companyTypeId, paths } from './version.ts'

/** The company property by which we create companies: unique, so that creating twice finds the first. */
export const companyKey = 'tributary_domain'

type Schema = z.output<typeof schemaAnswer>
type Property = z.output<typeof propertyAnswer>
type ObjectCalls = Pick<
  CrmPort,
  | 'describeObject'
  | 'findObjects'
  | 'findFreeObjectSlots'
  | 'createObject'
  | 'addFields'
  | 'addTargets'
  | 'ensureCompanyKey'
>

/** Our objects, their properties and association types. Verified by the list alone: single reads are stale for a minute. */
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
      const created = await call(access, {
        method: 'POST',
        path: paths.schemas,
        json: schemaOf(kind, subscriptionTypeId),
        answer: schemaAnswer,
        isRepeatable: false,
      })
      return created.objectTypeId
    },
    async addFields(access, kind, objectTypeId, fields) {
      for (const field of fields) {
        await addProperty(call, access, objectTypeId, {
          ...definitionOf(getSpelling(kind, field)),
          groupName: `${spellings[kind].name}_information`,
        })
      }
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
          answer: z.unknown(),
          isRepeatable: false,
        })
      }
    },
    async ensureCompanyKey(access) {
      const { results } = await call(access, {
        method: 'GET',
        path: paths.properties(companyTypeId),
        answer: propertiesAnswer,
      })
      if (results.some(({ name, hasUniqueValue }) => name === companyKey && hasUniqueValue)) return
      await addProperty(call, access, companyTypeId, {
        name: companyKey,
        label: 'Tributary domain',
        description: 'Domain by which Tributary created this company. Please do not change it.',
        groupName: 'companyinformation',
        type: 'string',
        fieldType: 'text',
        hasUniqueValue: true,
      })
    },
  }
}

/** Adds a property; one that is there by now is as good. */
async function addProperty(
  call: HubspotClient,
  access: Parameters<HubspotClient>[0],
  typeId: string,
  definition: object,
) {
  try {
    await call(access, {
      method: 'POST',
      path: paths.properties(typeId),
      json: definition,
      answer: z.unknown(),
    })
  } catch (error) {
    if (!(error instanceof HubspotError && error.status === 409)) throw error
  }
}

function inspect(kind: CrmKind, schema: Schema | undefined, subscriptionTypeId: string | null): CrmObject {
  if (schema === undefined) {
    return { kind, objectTypeId: null, missingFields: [], missingTargets: [], problem: null }
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
    missingTargets,
    problem: problemOf(kind, properties),
  }
}

/** An object of our name must carry our unique key and our types; otherwise writes would fail or hit a stranger's. */
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
