import { Hono } from 'hono'
import {
  flagAt,
  getTextAt,
  type HubspotJson,
  objectAt,
  objectsAt,
  readJsonObject,
  textAt,
  textsAt,
} from '../body.ts'
import type { SimulatorEnv } from '../caller.ts'
import type { AppFile, Portal, ServiceKey } from '../entities.ts'
import { invalidInput, notFound } from '../errors.ts'
import { findServiceKey, makeServiceKey, rotateServiceKey } from '../keys/service-keys.ts'
import { getObjectType } from '../object-types.ts'
import { findPortal } from '../portals.ts'
import { defineProperty, findProperty, readDefinition } from '../properties/define.ts'
import { createSchema } from '../schemas/create.ts'
import { deleteSchema } from '../schemas/delete.ts'
import type { World } from '../world.ts'

/** HubSpot's maximum of accounts that may install a privately distributed app. */
const allowedAccountsMax = 10

/** What a super admin does in HubSpot's settings: keys, the app's file, objects and properties made by hand. */
export function adminRoutes(world: World): Hono<SimulatorEnv> {
  const app = new Hono<SimulatorEnv>()
  serveKeys(app, world)
  serveObjects(app, world)
  app.post('/_control/app', async (c) => {
    const file = readAppFile(await readJsonObject(c))
    world.appFiles.put('app', file)
    return c.json(file)
  })
  return app
}

function serveKeys(app: Hono<SimulatorEnv>, world: World): void {
  app.post('/_control/service-key', async (c) => {
    const body = await readJsonObject(c)
    const name = textAt(body, 'name') ?? 'Service key'
    return c.json(makeServiceKey(world, getPortal(world, body), name, textsAt(body, 'scopes') ?? []), 201)
  })
  app.post('/_control/rotate-key', async (c) => {
    const body = await readJsonObject(c)
    const key = getKey(world, body)
    const portal = getPortal(world, { hubId: String(key.hubId) })
    return c.json(rotateServiceKey(world, portal, key, flagAt(body, 'endsNow') ?? true), 201)
  })
  app.post('/_control/scopes-of-key', async (c) => {
    const body = await readJsonObject(c)
    const key = getKey(world, body)
    world.serviceKeys.put(key.key, { ...key, scopes: ['oauth', ...(textsAt(body, 'scopes') ?? [])] })
    return c.body(null, 204)
  })
  app.post('/_control/delete-key', async (c) => {
    const key = getKey(world, await readJsonObject(c))
    world.serviceKeys.put(key.key, { ...key, deleted: true })
    return c.body(null, 204)
  })
}

function serveObjects(app: Hono<SimulatorEnv>, world: World): void {
  app.post('/_control/define-object', async (c) => {
    const body = await readJsonObject(c)
    const properties = objectsAt(body, 'properties').map(withOrder)
    const { typeId, name } = createSchema(world, getPortal(world, body), { ...body, properties })
    return c.json({ objectTypeId: typeId, name }, 201)
  })
  app.post('/_control/delete-object', async (c) => {
    const body = await readJsonObject(c)
    deleteSchema(
      world,
      getPortal(world, body).hubId,
      getTextAt(body, 'type'),
      flagAt(body, 'forGood') ?? false,
    )
    return c.body(null, 204)
  })
  app.post('/_control/define-property', async (c) => {
    const body = await readJsonObject(c)
    const { hubId } = getPortal(world, body)
    const { typeId, schema } = getObjectType(world, hubId, getTextAt(body, 'type'))
    const definition = withOrder(objectAt(body, 'property'))
    const group = `${schema?.name.toLowerCase()}_information`
    const property = readDefinition(world, hubId, typeId, definition, group)
    defineProperty(world, { ...property, calculated: flagAt(definition, 'calculated') ?? false })
    return c.body(null, 204)
  })
  app.post('/_control/archive-property', async (c) => {
    const body = await readJsonObject(c)
    const { hubId } = getPortal(world, body)
    const { typeId } = getObjectType(world, hubId, getTextAt(body, 'type'))
    const property = findProperty(world, hubId, typeId, getTextAt(body, 'name'))
    if (property === undefined) throw notFound('There is no such property')
    const key = `${hubId}/${typeId}/${property.name}`
    if (flagAt(body, 'forGood')) world.properties.delete(key)
    else world.properties.put(key, { ...property, archived: true, updatedAt: world.now() })
    return c.body(null, 204)
  })
}

/** The options of a property as HubSpot's page orders them: as they were entered. */
function withOrder(property: HubspotJson): HubspotJson {
  const options = objectsAt(property, 'options').map((option, displayOrder) => ({ displayOrder, ...option }))
  return { ...property, options }
}

function readAppFile(body: HubspotJson): AppFile {
  const allowedAccounts = textsAt(body, 'allowedAccounts')?.map(Number) ?? null
  if (allowedAccounts !== null && allowedAccounts.length > allowedAccountsMax) {
    throw invalidInput(`A private app can be installed in at most ${allowedAccountsMax} accounts`)
  }
  return {
    requiredScopes: textsAt(body, 'requiredScopes') ?? null,
    optionalScopes: textsAt(body, 'optionalScopes') ?? null,
    allowedAccounts,
  }
}

function getKey(world: World, body: HubspotJson): ServiceKey {
  const key = findServiceKey(world, getTextAt(body, 'key'))
  if (key === undefined) throw notFound('There is no such key')
  return key
}

function getPortal(world: World, body: HubspotJson): Portal {
  const portal = findPortal(world, getTextAt(body, 'hubId'))
  if (portal === undefined) throw notFound('There is no such account')
  return portal
}
