import type { Hono } from 'hono'
import { getTextAt, readJsonObject } from '../body.ts'
import { type ApiContext, recordScope, requireScope, type SimulatorEnv, schemaScope } from '../caller.ts'
import type { Property } from '../entities.ts'
import { HubspotError, notFound } from '../errors.ts'
import { getObjectType, type ObjectType } from '../object-types.ts'
import { openGroup } from '../portals.ts'
import type { World } from '../world.ts'
import { propertyAnswer } from './answer.ts'
import { changeProperty, defineProperty, findProperty, listProperties, readDefinition } from './define.ts'

const path = '/crm/properties/2026-09/:type'

/** Property definitions and groups. Sources: properties guide; codes of refusals as seen live. */
export function servePropertyRoutes(app: Hono<SimulatorEnv>, world: World): void {
  serveGroups(app, world)
  app.get(path, (c) => {
    const type = readableType(c, world)
    const isArchived = c.req.query('archived') === 'true'
    return c.json({ results: listProperties(world, hubIdOf(c), type.typeId, isArchived).map(propertyAnswer) })
  })
  app.post(path, async (c) => {
    const type = writableType(c, world)
    const property = readDefinition(world, hubIdOf(c), type.typeId, await readJsonObject(c))
    defineProperty(world, property)
    return c.json(propertyAnswer(property), 201)
  })
  app.get(`${path}/:name`, (c) => c.json(propertyAnswer(getProperty(c, world, readableType(c, world)))))
  app.patch(`${path}/:name`, async (c) => {
    const property = getProperty(c, world, writableType(c, world))
    return c.json(propertyAnswer(changeProperty(world, property, await readJsonObject(c))))
  })
  app.delete(`${path}/:name`, (c) => {
    const property = getProperty(c, world, writableType(c, world))
    if (property.hubspotDefined)
      throw new HubspotError(400, { message: 'HubSpot properties cannot be archived' })
    const archived = { ...property, archived: true, updatedAt: world.now() }
    world.properties.put(`${property.hubId}/${property.typeId}/${property.name}`, archived)
    return c.body(null, 204)
  })
}

function serveGroups(app: Hono<SimulatorEnv>, world: World): void {
  app.get(`${path}/groups`, (c) => {
    const { typeId } = readableType(c, world)
    const groups = [...world.groups.values()].filter(
      (group) => group.hubId === hubIdOf(c) && group.typeId === typeId,
    )
    const results = groups.map(({ name, label }) => ({ name, label, displayOrder: -1, archived: false }))
    return c.json({ results })
  })
  app.post(`${path}/groups`, async (c) => {
    const { typeId } = writableType(c, world)
    const body = await readJsonObject(c)
    const [name, label] = [getTextAt(body, 'name'), getTextAt(body, 'label')]
    if (world.groups.get(`${hubIdOf(c)}/${typeId}/${name}`) !== undefined) {
      throw new HubspotError(409, {
        message: `A property group named '${name}' already exists.`,
        category: 'OBJECT_ALREADY_EXISTS',
      })
    }
    openGroup(world, hubIdOf(c), typeId, name, label)
    return c.json({ name, label, displayOrder: -1, archived: false }, 201)
  })
  app.delete(`${path}/groups/:name`, (c) => {
    const { typeId } = writableType(c, world)
    const name = c.req.param('name')
    if (listProperties(world, hubIdOf(c), typeId).some(({ groupName }) => groupName === name))
      throw new HubspotError(400, { message: `Property group ${name} has properties` })
    world.groups.delete(`${hubIdOf(c)}/${typeId}/${name}`)
    return c.body(null, 204)
  })
}

function hubIdOf(c: ApiContext): number {
  return c.get('caller').portal.hubId
}

function readableType(c: ApiContext, world: World): ObjectType {
  const type = getObjectType(world, hubIdOf(c), c.req.param('type') ?? '')
  requireScope(c.get('caller'), recordScope(type.typeId, 'read'), schemaScope(type.typeId, 'read'))
  return type
}

function writableType(c: ApiContext, world: World): ObjectType {
  const type = getObjectType(world, hubIdOf(c), c.req.param('type') ?? '')
  requireScope(c.get('caller'), schemaScope(type.typeId, 'write'))
  return type
}

function getProperty(c: ApiContext, world: World, type: ObjectType): Property {
  const name = c.req.param('name') ?? ''
  const property = findProperty(world, hubIdOf(c), type.typeId, name)
  if (property === undefined) {
    throw notFound(`Property "${name}" does not exist`, { subCategory: 'Properties.PROPERTY_NOT_FOUND' })
  }
  return property
}
