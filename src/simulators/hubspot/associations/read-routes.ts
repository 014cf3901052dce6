import type { Hono } from 'hono'
import { batchInputs, getTextAt, readJsonObject, textAt } from '../body.ts'
import { requireScope, type SimulatorEnv, schemaScope } from '../caller.ts'
import type { AssociationType } from '../entities.ts'
import { invalidInput } from '../errors.ts'
import { openAnswersOf } from '../open-answers.ts'
import { batchAnswer } from '../records/batch.ts'
import { findMergedRecord, findRecord } from '../records/find.ts'
import type { World } from '../world.ts'
import { associationKey, type Side } from './association-index.ts'
import { associationPath, checkPair, type TypePair, typePairOf } from './batch-routes.ts'
import { linkPlainly, typesOf, unlink } from './link.ts'
import { defineTie, listAssociationTypes } from './types.ts'

const readLimit = 1_000
const pageLimit = 500
const labelLimit = 10
const recordPath = '/crm/objects/2026-09/:from/:id/associations'

/** Reading ties, the single default tie, and the labels of a pair of types. */
export function serveAssociationReads(app: Hono<SimulatorEnv>, world: World): void {
  app.post(`${associationPath}/batch/read`, async (c) => {
    const types = typePairOf(c, world, 'read')
    const results: object[] = []
    const errors: object[] = []
    for (const input of batchInputs(c, await readJsonObject(c), readLimit)) {
      const id = getTextAt(input, 'id')
      const { to, paging } = tiesPage(types, id, textAt(input, 'after'), pageLimit)
      if (to.length > 0) results.push({ from: { id }, to, ...paging })
      else if (openAnswersOf(types.portal).reportsUnassociated) errors.push(noTies(types, id))
    }
    return c.json(batchAnswer(world, results, errors), errors.length > 0 ? 207 : 200)
  })
  app.get(`${recordPath}/:to`, (c) => {
    const types = typePairOf(c, world, 'read')
    const limit = Math.min(Number(c.req.query('limit') ?? pageLimit) || pageLimit, pageLimit)
    const { to, paging } = tiesPage(types, c.req.param('id'), c.req.query('after'), limit)
    return c.json({ results: to, ...paging })
  })
  app.put(`${recordPath}/default/:to/:toId`, (c) => {
    const types = typePairOf(c, world, 'write')
    const pair = { ...sideOf(types, c.req.param('id')), toId: c.req.param('toId') }
    const kind = linkPlainlyChecked(types, pair)
    const ends = [
      { from: { id: pair.fromId }, to: { id: pair.toId }, associationSpec: specOf(kind.category, kind.id) },
      {
        from: { id: pair.toId },
        to: { id: pair.fromId },
        associationSpec: specOf(kind.category, kind.inverseId),
      },
    ]
    return c.json(batchAnswer(world, ends, []))
  })
  app.delete(`${recordPath}/:to/:toId`, (c) => {
    const types = typePairOf(c, world, 'write')
    unlink(world, { ...sideOf(types, c.req.param('id')), toId: c.req.param('toId') })
    return c.body(null, 204)
  })
  serveLabels(app, world)
}

function serveLabels(app: Hono<SimulatorEnv>, world: World): void {
  app.get(`${associationPath}/labels`, (c) => {
    const { portal, from, to } = typePairOf(c, world, 'read')
    const kinds = listAssociationTypes(world, portal.hubId, from.typeId, to.typeId)
    return c.json({ results: kinds.map(kindAnswer) })
  })
  app.post(`${associationPath}/labels`, async (c) => {
    const { portal, from, to } = typePairOf(c, world, 'write')
    requireScope(c.get('caller'), schemaScope(from.typeId, 'write'), schemaScope(to.typeId, 'write'))
    const standing = listAssociationTypes(world, portal.hubId, from.typeId, to.typeId)
    if (
      standing.filter((kind) => kind.category === 'USER_DEFINED' && kind.label !== null).length >= labelLimit
    ) {
      throw invalidInput(`At most ${labelLimit} labels can be defined for a pair of object types`)
    }
    const body = await readJsonObject(c)
    const kinds = defineTie(world, portal.hubId, {
      from: { typeId: from.typeId, name: from.singularKey },
      to: { typeId: to.typeId, name: to.singularKey },
      name: getTextAt(body, 'name'),
      label: getTextAt(body, 'label'),
      inverseLabel: textAt(body, 'inverseLabel') ?? getTextAt(body, 'label'),
    })
    return c.json({ results: kinds.map(kindAnswer) })
  })
}

function linkPlainlyChecked(types: TypePair, pair: Side & { toId: string }) {
  checkPair(types, pair)
  return linkPlainly(types.world, pair)
}

function sideOf({ portal, from, to }: TypePair, fromId: string): Side {
  return { hubId: portal.hubId, fromTypeId: from.typeId, fromId, toTypeId: to.typeId }
}

/** One page of a record's ties to live records. */
function tiesPage(types: TypePair, id: string, after: string | undefined, limit: number) {
  const { world, portal, from, to } = types
  const record = findMergedRecord(world, portal.hubId, from.typeId, id)
  const side = sideOf(types, record?.id ?? id)
  const all = record === undefined ? [] : world.associationIndex.idsFrom(side)
  const live = all.filter((toId) => findRecord(world, portal.hubId, to.typeId, toId) !== undefined)
  const start = after === undefined ? 0 : live.indexOf(after) + 1
  const page = live.slice(start, start + limit)
  const last = page.at(-1)
  const areNumbers = openAnswersOf(portal).associatedIds === 'numbers'
  return {
    to: page.map((toId) => {
      const association = world.associations.get(associationKey(side, toId))
      const kinds = association === undefined ? [] : typesOf(world, association)
      const toObjectId = areNumbers ? Number(toId) : toId
      return { toObjectId, associationTypes: kinds.map(kindAnswer) }
    }),
    paging: start + limit < live.length && last !== undefined ? { paging: { next: { after: last } } } : {},
  }
}

function kindAnswer(kind: AssociationType) {
  return { category: kind.category, typeId: kind.id, label: kind.label }
}

function specOf(associationCategory: string, associationTypeId: number) {
  return { associationCategory, associationTypeId }
}

function noTies({ from, to }: TypePair, id: string): object {
  return {
    status: 'error',
    category: 'OBJECT_NOT_FOUND',
    subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
    message: `No ${to.singularKey} is associated with ${from.singularKey} ${id}.`,
    context: { fromObjectId: [id], fromObjectType: [from.singularKey], toObjectType: [to.singularKey] },
  }
}
