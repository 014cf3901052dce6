import type { Hono } from 'hono'
import { requireScope, type SimulatorEnv } from './caller.ts'
import { companyTypeId, contactTypeId, type Portal, type PortalLimits } from './entities.ts'
import { invalidInput, WholeRefusal } from './errors.ts'
import { getObjectType, listSchemas, type ObjectType } from './object-types.ts'
import { liveRecords } from './records/find.ts'
import type { World } from './world.ts'

export const noLimits: PortalLimits = {
  associations: [],
  customRecords: null,
  recordsOfType: {},
  refusal: 'row',
}

/** The number shown if no limit is set. */
const unlimited = 10_000_000

/** How many custom object types, and how many records, the plan allows. Source: limits-tracking guide. */
export function serveLimits(app: Hono<SimulatorEnv>, world: World): void {
  app.get('/crm/limits/2026-09/custom-object-types', (c) => {
    const { portal } = c.get('caller')
    requireScope(c.get('caller'), 'crm.objects.custom.read', 'crm.schemas.custom.read')
    const limit = portal.tier === 'enterprise' ? portal.customObjectLimit : 0
    const usage = listSchemas(world, portal.hubId).filter((schema) => !schema.archived).length
    return c.json({ limit, usage, percentage: percentageOf(usage, limit) })
  })
  app.get('/crm/limits/2026-09/records', (c) => {
    const { portal } = c.get('caller')
    requireScope(
      c.get('caller'),
      'crm.objects.companies.read',
      'crm.objects.contacts.read',
      'crm.objects.custom.read',
    )
    const standard = [contactTypeId, companyTypeId].map((typeId) => {
      const limit = portal.limits?.recordsOfType[typeId] ?? unlimited
      const usage = countRecords(world, portal, typeId)
      return { ...labelsOf(world, portal, typeId), limit, usage, percentage: percentageOf(usage, limit) }
    })
    const custom = listCustomTypes(world, portal).map((typeId) => ({
      ...labelsOf(world, portal, typeId),
      usage: countRecords(world, portal, typeId),
    }))
    const overallLimit = portal.limits?.customRecords ?? unlimited
    const overallUsage = custom.reduce((sum, { usage }) => sum + usage, 0)
    return c.json({
      hubspotDefinedObjectTypes: standard,
      customObjectTypes: {
        byObjectType: custom,
        overallLimit,
        overallUsage,
        overallPercentage: percentageOf(overallUsage, overallLimit),
      },
    })
  })
}

/** Refuses a record beyond a limit; `planned` counts the other new records of its batch. */
export function checkRoom(world: World, portal: Portal, type: ObjectType, planned: number): void {
  const { customRecords = null, recordsOfType = {}, refusal } = portal.limits ?? noLimits
  const ofType = recordsOfType[type.typeId]
  if (ofType !== undefined && countRecords(world, portal, type.typeId) + planned >= ofType) {
    throw noRoom(`The limit of ${ofType} ${type.noun} records of this account is reached.`, refusal)
  }
  if (type.schema === null || customRecords === null) return
  const usage = listCustomTypes(world, portal).reduce(
    (sum, typeId) => sum + countRecords(world, portal, typeId),
    0,
  )
  if (usage + planned >= customRecords) {
    const message = `The limit of ${customRecords} records of custom objects of this account is reached.`
    throw noRoom(message, refusal)
  }
}

function noRoom(message: string, refusal: PortalLimits['refusal']): Error {
  const { status, body } = invalidInput(message)
  return refusal === 'batch' ? new WholeRefusal(status, body) : invalidInput(message)
}

function listCustomTypes(world: World, { hubId }: Portal): string[] {
  return listSchemas(world, hubId).flatMap(({ typeId, archived }) => (archived ? [] : [typeId]))
}

function countRecords(world: World, { hubId }: Portal, typeId: string): number {
  let count = 0
  for (const _ of liveRecords(world, hubId, typeId)) count += 1
  return count
}

function labelsOf(world: World, { hubId }: Portal, typeId: string) {
  const { schema, singularKey, pluralKey } = getObjectType(world, hubId, typeId)
  const { singular, plural } = schema?.labels ?? { singular: singularKey, plural: pluralKey }
  return { objectTypeId: typeId, singularLabel: singular, pluralLabel: plural }
}

function percentageOf(usage: number, limit: number): number {
  return limit === 0 ? 100 : (usage / limit) * 100
}
