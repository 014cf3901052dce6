import type { Context, Hono } from 'hono'
import { defineTie, forgetTie } from '../associations/types.ts'
import { getTextAt, objectAt, readJsonObject, textAt, textsAt } from '../body.ts'
import { type ApiContext, requireScope, type SimulatorEnv } from '../caller.ts'
import type { Schema } from '../entities.ts'
import { invalidInput, notFound } from '../errors.ts'
import { findSchema, listSchemas } from '../object-types.ts'
import type { World } from '../world.ts'
import { schemaAnswer, tieAnswer } from './answer.ts'
import { checkNamedProperties, createSchema, isDefinedIn, tieTarget } from './create.ts'
import { deleteSchema, schemaNotFound } from './delete.ts'
import { requireSchemaChange } from './permission.ts'
import { SchemaSettling } from './settling.ts'

const path = '/crm-object-schemas/2026-09/schemas'
const readScopes = ['crm.schemas.custom.read', 'crm.objects.custom.read'] as const

/** Custom object definitions. Source: schemas guide; the rules of deletion were seen live. */
export function serveSchemaRoutes(app: Hono<SimulatorEnv>, world: World): void {
  const settling = new SchemaSettling(world)
  app.get(path, (c) => {
    requireScope(c.get('caller'), ...readScopes)
    const isArchived = c.req.query('archived') === 'true'
    const schemas = listSchemas(world, hubIdOf(c)).filter((schema) => schema.archived === isArchived)
    return c.json({ results: schemas.map((schema) => schemaAnswer(world, schema)) })
  })
  app.post(path, async (c) => {
    requireSchemaChange(c)
    const schema = createSchema(world, c.get('caller').portal, await readJsonObject(c))
    return c.json(schemaAnswer(world, schema), 201)
  })
  app.get(`${path}/:type`, (c) => {
    requireScope(c.get('caller'), ...readScopes)
    const schema = getSchema(c, world)
    const served = settling.serve(schema)
    if (served === 'absent') throw schemaNotFound(schema.typeId)
    const answer = schemaAnswer(world, schema)
    return c.json(served === 'current' ? answer : { ...answer, primaryDisplayProperty: 'hs_object_id' })
  })
  serveChanges(app, world)
}

function serveChanges(app: Hono<SimulatorEnv>, world: World): void {
  app.patch(`${path}/:type`, async (c) => {
    requireSchemaChange(c)
    const schema = getSchema(c, world)
    const body = await readJsonObject(c)
    const labels = objectAt(body, 'labels')
    const changed: Schema = {
      ...schema,
      labels: {
        singular: textAt(labels, 'singular') ?? schema.labels.singular,
        plural: textAt(labels, 'plural') ?? schema.labels.plural,
      },
      description: textAt(body, 'description') ?? schema.description,
      primaryDisplayProperty: textAt(body, 'primaryDisplayProperty') ?? schema.primaryDisplayProperty,
      secondaryDisplayProperties:
        textsAt(body, 'secondaryDisplayProperties') ?? schema.secondaryDisplayProperties,
      requiredProperties: textsAt(body, 'requiredProperties') ?? schema.requiredProperties,
      searchableProperties: textsAt(body, 'searchableProperties') ?? schema.searchableProperties,
      updatedAt: world.now(),
    }
    checkNamedProperties(changed, isDefinedIn(world, schema))
    world.schemas.put(`${schema.hubId}/${schema.typeId}`, changed)
    return c.json(schemaAnswer(world, changed))
  })
  app.delete(`${path}/:type`, (c) => {
    requireSchemaChange(c)
    deleteSchema(world, hubIdOf(c), c.req.param('type'), c.req.query('archived') === 'true')
    return c.body(null, 204)
  })
  app.post(`${path}/:type/associations`, async (c) => {
    requireSchemaChange(c)
    const schema = getSchema(c, world)
    const body = await readJsonObject(c)
    const from = tieTarget(world, schema.hubId, getTextAt(body, 'fromObjectTypeId'))
    const to = tieTarget(world, schema.hubId, getTextAt(body, 'toObjectTypeId'))
    if (from.typeId !== schema.typeId && to.typeId !== schema.typeId) {
      throw invalidInput(`The association must include object type ${schema.typeId}`)
    }
    const name = textAt(body, 'name')
    const [tie] = defineTie(world, schema.hubId, { from, to, ...(name === undefined ? {} : { name }) })
    return c.json(tieAnswer(tie, world.now()), 201)
  })
  app.delete(`${path}/:type/associations/:id`, (c) => {
    requireSchemaChange(c)
    const schema = getSchema(c, world)
    const tie = world.associationTypes.get(`${schema.hubId}/${c.req.param('id')}`)
    if (tie === undefined || ![tie.fromTypeId, tie.toTypeId].includes(schema.typeId)) {
      throw notFound(`Unable to find association type ${c.req.param('id')}`)
    }
    forgetTie(world, tie)
    return c.body(null, 204)
  })
}

function hubIdOf(c: Context<SimulatorEnv>): number {
  return c.get('caller').portal.hubId
}

function getSchema(c: ApiContext, world: World): Schema {
  const named = c.req.param('type') ?? ''
  const schema = findSchema(world, hubIdOf(c), named)
  if (schema === undefined || schema.archived) throw schemaNotFound(named)
  return schema
}
