import { z } from 'zod'
import { type CrmKind, crmKinds } from '#domain/crm-record.ts'
import type { CrmPort } from '../../crm.ts'
import type { CrmAccess } from '../../crm-directory.ts'
import { limitAnswer, propertiesAnswer, propertyAnswer, schemaAnswer } from '../answers.ts'
import type { HubspotClient } from '../client.ts'
import { HubspotError } from '../hubspot-error.ts'
import { findNoRoom } from '../record-room.ts'
import { getSpelling, schemaOf, targetTypeId } from '../to-hubspot/object-spelling.ts'
import { spellings } from '../to-hubspot/our-objects.ts'
import { definitionOf, type PropertySpelling } from '../to-hubspot/property.ts'
import { companyTypeId, contactTypeId, paths } from '../version.ts'
import { inspectSchema, lackingOptions, schemaNamed } from './inspect-schema.ts'
import { listSchemas } from './list-schemas.ts'

/** HubSpot counts the records of all custom objects together. */
const anyCustomType = 'custom'

type StandingOption = NonNullable<z.output<typeof propertyAnswer>['options']>[number]
type ObjectCalls = Pick<
  CrmPort,
  | 'describeObject'
  | 'findObjects'
  | 'findFreeObjectSlots'
  | 'findFullTypes'
  | 'createObject'
  | 'addFields'
  | 'addOptions'
  | 'addTargets'
>

/** Creates and checks our objects, their properties and association types. */
export function createObjectCalls(call: HubspotClient): ObjectCalls {
  return {
    describeObject: (kind) => ({ name: spellings[kind].name, label: spellings[kind].plural }),
    async findObjects(access) {
      const schemas = await listSchemas(call, access)
      const subscriptionTypeId = schemaNamed(schemas, 'subscription')?.objectTypeId ?? null
      return crmKinds.map((kind) => inspectSchema(kind, schemaNamed(schemas, kind), subscriptionTypeId))
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
    async findFullTypes(access) {
      const types = [companyTypeId, contactTypeId, anyCustomType]
      const found = await Promise.all(types.map((typeId) => findNoRoom(call, access, typeId)))
      return found.filter((reason) => reason !== null)
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
      if (fields.length === 0) return
      const groupName = await findGroup(call, access, kind, objectTypeId)
      for (const field of fields) {
        await addProperty(call, access, objectTypeId, {
          ...definitionOf(getSpelling(kind, field)),
          groupName,
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

/** The group of the object's key, since people may have put our properties into another group and deleted ours. */
async function findGroup(
  call: HubspotClient,
  access: CrmAccess,
  kind: CrmKind,
  typeId: string,
): Promise<string> {
  const path = paths.properties(typeId)
  const { results } = await call(access, { method: 'GET', path, answer: propertiesAnswer })
  const key = results.find(({ name }) => name === getSpelling(kind, spellings[kind].key).name)
  return key?.groupName ?? `${spellings[kind].name}_information`
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
