import type { Hono } from 'hono'
import { batchInputs, type HubspotJson, isJsonObject, objectAt, readJsonObject, textAt } from '../body.ts'
import { type ApiContext, recordScope, requireScope, type SimulatorEnv } from '../caller.ts'
import type { Portal } from '../entities.ts'
import { HubspotError, invalidInput } from '../errors.ts'
import { getObjectType, type ObjectType } from '../object-types.ts'
import { openAnswersOf } from '../open-answers.ts'
import { batchAnswer } from '../records/batch.ts'
import { findMergedRecord, findRecord } from '../records/find.ts'
import { readAssociationTypes } from '../records/plan.ts'
import type { World } from '../world.ts'
import { linkPlainly, type Pair, removeLabels, setLabels, unlink } from './link.ts'
import { checkTieLimits } from './tie-limits.ts'
import { getPlainType, undefinedAssociation } from './types.ts'

export const associationPath = '/crm/associations/2026-09/:from/:to'
const batch = `${associationPath}/batch`

/** HubSpot's limit of pairs for one call that ties or unties; for archiving, no source gives a number. */
const associationBatchLimit = 2_000

/** The two types of an association path, with the caller's portal. */
export type TypePair = {
  readonly world: World
  readonly portal: Portal
  readonly from: ObjectType
  readonly to: ObjectType
}

/** The batch calls that tie and untie records. Shapes: associations guide. */
export function serveAssociationBatches(app: Hono<SimulatorEnv>, world: World): void {
  app.post(`${batch}/associate/default`, (c) =>
    eachPair(c, world, 200, (pair) => {
      const kind = linkPlainly(world, pair)
      const spec = { associationCategory: kind.category, associationTypeId: kind.id }
      return { from: { id: pair.fromId }, to: { id: pair.toId }, associationSpec: spec }
    }),
  )
  app.post(`${batch}/create`, (c) =>
    eachPair(c, world, 201, (pair, input, types) => {
      const kinds = readAssociationTypes(types, input['types'])
      if (kinds.length === 0) throw invalidInput('Some required fields were not set: [types]')
      if (kinds.some((kind) => kind.fromTypeId !== pair.fromTypeId || kind.toTypeId !== pair.toTypeId)) {
        throw undefinedAssociation(pair.fromTypeId, pair.toTypeId)
      }
      setLabels(world, pair, kinds)
      const labels = kinds.flatMap((kind) => (kind.label === null ? [] : [kind.label]))
      return { ...pairAnswer(pair), labels }
    }),
  )
  app.post(`${batch}/archive`, async (c) => {
    const types = typePairOf(c, world, 'write')
    for (const input of batchInputs(c, await readJsonObject(c), associationBatchLimit)) {
      const targets = Array.isArray(input['to']) ? input['to'].filter(isJsonObject) : [objectAt(input, 'to')]
      for (const to of targets) unlink(world, pairOf(types, objectAt(input, 'from'), to))
    }
    return c.json(batchAnswer(world, [], []))
  })
  app.post(`${batch}/labels/archive`, (c) =>
    eachPair(c, world, 200, (pair, input, types) => {
      removeLabels(world, pair, readAssociationTypes(types, input['types']))
      return pairAnswer(pair)
    }),
  )
}

/** Handles every pair of a batch; pairs with a missing record are reported, the others succeed. */
async function eachPair(
  c: ApiContext,
  world: World,
  status: 200 | 201,
  handle: (pair: Pair, input: HubspotJson, types: TypePair) => object,
): Promise<Response> {
  const types = typePairOf(c, world, 'write')
  getPlainType(world, types.portal.hubId, types.from.typeId, types.to.typeId)
  const inputs = batchInputs(c, await readJsonObject(c), associationBatchLimit)
  const results: object[] = []
  const errors: object[] = []
  for (const input of inputs) {
    const pair = asSurvivors(types, pairOf(types, objectAt(input, 'from'), objectAt(input, 'to')))
    try {
      checkPair(types, pair)
      results.push(handle(pair, input, types))
    } catch (error) {
      if (!(error instanceof HubspotError)) throw error
      errors.push({ status: 'error', ...error.body })
    }
  }
  return c.json(batchAnswer(world, results, errors), errors.length > 0 ? 207 : status)
}

/** Refuses a pair if one record is missing, archived, merged into another, or at its limit. */
export function checkPair(types: TypePair, pair: Pair): void {
  const ends = [
    { id: pair.fromId, type: types.from, context: 'fromObjectId' },
    { id: pair.toId, type: types.to, context: 'toObjectId' },
  ]
  for (const { id, type, context } of ends) {
    if (findRecord(types.world, pair.hubId, type.typeId, id) === undefined) {
      throw invalidInput(`${type.noun}=${id} is not valid`, {
        subCategory: 'crm.associations.INVALID_OBJECT_IDS',
        context: { [context]: [id] },
      })
    }
  }
  checkTieLimits(types.world, pair)
}

/** Resolves the types of the path and checks the scopes of both sides. */
export function typePairOf(c: ApiContext, world: World, verb: 'read' | 'write'): TypePair {
  const caller = c.get('caller')
  const from = getObjectType(world, caller.portal.hubId, c.req.param('from') ?? '')
  const to = getObjectType(world, caller.portal.hubId, c.req.param('to') ?? '')
  requireScope(caller, recordScope(from.typeId, verb))
  requireScope(caller, recordScope(to.typeId, verb))
  return { world, portal: caller.portal, from, to }
}

function pairOf({ portal, from, to }: TypePair, fromEnd: HubspotJson, toEnd: HubspotJson): Pair {
  return {
    hubId: portal.hubId,
    fromTypeId: from.typeId,
    fromId: textAt(fromEnd, 'id') ?? '',
    toTypeId: to.typeId,
    toId: textAt(toEnd, 'id') ?? '',
  }
}

/** The pair with the records into which its ends were merged, where the portal takes their old ids. */
function asSurvivors({ world, portal }: TypePair, pair: Pair): Pair {
  if (!openAnswersOf(portal).tiesMergedIds) return pair
  const survivor = (typeId: string, id: string) => findMergedRecord(world, pair.hubId, typeId, id)?.id ?? id
  return { ...pair, fromId: survivor(pair.fromTypeId, pair.fromId), toId: survivor(pair.toTypeId, pair.toId) }
}

function pairAnswer(pair: Pair) {
  return {
    fromObjectTypeId: pair.fromTypeId,
    fromObjectId: pair.fromId,
    toObjectTypeId: pair.toTypeId,
    toObjectId: pair.toId,
  }
}
