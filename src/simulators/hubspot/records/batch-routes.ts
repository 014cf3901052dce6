import type { Hono } from 'hono'
import {
  batchInputs,
  getTextAt,
  type HubspotJson,
  objectAt,
  readJsonObject,
  textAt,
  textsAt,
} from '../body.ts'
import { type ApiContext, recordScope, requireScope, type SimulatorEnv } from '../caller.ts'
import { contactTypeId, type HubspotRecord } from '../entities.ts'
import { HubspotError, invalidInput, notFound } from '../errors.ts'
import { getObjectType } from '../object-types.ts'
import { openAnswersOf } from '../open-answers.ts'
import type { World } from '../world.ts'
import { recordAnswer } from './answer.ts'
import {
  type BatchOutcome,
  batchAnswer,
  recordBatchLimit,
  refuseDuplicateIds,
  shuffled,
  writeBatch,
} from './batch.ts'
import type { WritePlace } from './check-properties.ts'
import {
  checkIdProperty,
  findArchivedByValue,
  findByUniqueValue,
  findMergedRecord,
  findRecord,
  isByAdditionalEmail,
} from './find.ts'
import { type Claims, planCreate, planUpdate } from './plan.ts'
import { archiveRecord, restoreRecord } from './store-record.ts'

const path = '/crm/objects/2026-09/:type/batch'

/** The batch calls of records. Limits and shapes: using-object-apis guide and the 2026-09 specification. */
export function serveRecordBatches(app: Hono<SimulatorEnv>, world: World): void {
  app.post(`${path}/create`, async (c) => {
    const { place, inputs } = await readBatch(c, world, 'write')
    const claims: Claims = new Set()
    return answerWrites(
      c,
      world,
      201,
      writeBatch(place, inputs, (input) => planCreate(place, claims, input)),
    )
  })
  app.post(`${path}/update`, async (c) => {
    const { place, inputs } = await readBatch(c, world, 'write')
    const idProperty = oneIdProperty(place, inputs)
    refuseDuplicateIds(place, idsOf(inputs), idProperty)
    const claims: Claims = new Set()
    const outcome = writeBatch(place, inputs, (input) => {
      const id = getTextAt(input, 'id')
      // The ids of merged records work only for single updates.
      const record =
        idProperty === undefined || idProperty === 'hs_object_id'
          ? findRecord(world, place.portal.hubId, place.type.typeId, id)
          : findByUniqueValue(world, place.portal.hubId, place.type.typeId, idProperty, id)
      if (record === undefined) throw missingRecords(place, [id])
      return planUpdate(place, claims, record, objectAt(input, 'properties'))
    })
    return answerWrites(c, world, 200, outcome)
  })
  app.post(`${path}/upsert`, async (c) => {
    const { place, inputs } = await readBatch(c, world, 'write')
    return answerWrites(c, world, 200, upsert(place, inputs))
  })
  app.post(`${path}/read`, (c) => readRecords(c, world))
  app.post(`${path}/archive`, async (c) => {
    const { place, inputs } = await readBatch(c, world, 'write')
    for (const id of idsOf(inputs)) {
      const record = findRecord(world, place.portal.hubId, place.type.typeId, id)
      if (record !== undefined) archiveRecord(world, record)
    }
    return c.body(null, 204)
  })
}

function upsert(place: WritePlace, inputs: readonly HubspotJson[]): BatchOutcome {
  const { world, portal, type } = place
  const idProperty = oneIdProperty(place, inputs)
  if (idProperty === undefined || idProperty === 'hs_object_id') {
    throw invalidInput('Invalid input JSON: Some required fields were not set: [idProperty]')
  }
  refuseDuplicateIds(place, idsOf(inputs), idProperty)
  const claims: Claims = new Set()
  const planRow = (input: HubspotJson) => {
    const id = getTextAt(input, 'id')
    const record =
      findByUniqueValue(world, portal.hubId, type.typeId, idProperty, id) ??
      archivedHolder(place, idProperty, id)
    const given = objectAt(input, 'properties')
    const isAlias = record !== undefined && isByAdditionalEmail(record, idProperty, id)
    const properties = isAlias ? { ...given } : { [idProperty]: id, ...given }
    return record === undefined
      ? planCreate(place, claims, { properties })
      : planUpdate(place, claims, record, properties)
  }
  // "Partial upserts are not supported when using email": we read this as no refusals by row.
  const isNeverPartial = type.typeId === contactTypeId && idProperty === 'email'
  return writeBatch(place, inputs, planRow, { isUpsert: true, isNeverPartial })
}

/** The archived record with this value, brought back; the usual answer is that the value is free. */
function archivedHolder(place: WritePlace, idProperty: string, value: string): HubspotRecord | undefined {
  const { world, portal, type } = place
  const { archivedValue } = openAnswersOf(portal)
  if (archivedValue === 'frees') return undefined
  const record = findArchivedByValue(world, { hubId: portal.hubId, typeId: type.typeId }, idProperty, value)
  if (record === undefined) return undefined
  if (archivedValue === 'revives') return restoreRecord(world, record)
  throw new HubspotError(409, { message: `An archived record has the value ${value}`, category: 'CONFLICT' })
}

async function readRecords(c: ApiContext, world: World): Promise<Response> {
  const { place, inputs, body } = await readBatch(c, world, 'read')
  const { hubId } = place.portal
  const idProperty = textAt(body, 'idProperty')
  checkIdProperty(world, hubId, place.type, idProperty)
  const ids = idsOf(inputs)
  refuseDuplicateIds(place, ids, idProperty)
  const { historyBatch, findsAdditionalAddresses } = openAnswersOf(place.portal)
  if (textsAt(body, 'propertiesWithHistory') !== undefined && ids.length > historyBatch)
    throw invalidInput(`At most ${historyBatch} records can be read with their history`)
  const missing: string[] = []
  const found = ids.flatMap((id) => {
    const record =
      idProperty === undefined || idProperty === 'hs_object_id'
        ? findMergedRecord(world, hubId, place.type.typeId, id)
        : findByUniqueValue(world, hubId, place.type.typeId, idProperty, id)
    const isAlias = record !== undefined && idProperty && isByAdditionalEmail(record, idProperty, id)
    if (record !== undefined && (!isAlias || findsAdditionalAddresses)) return [record]
    missing.push(id)
    return []
  })
  const names = textsAt(body, 'properties')
  const results = shuffled(found, (record) => record).map((record) => recordAnswer(world, record, names))
  const errors = missing.length === 0 ? [] : [{ status: 'error', ...missingRecords(place, missing).body }]
  return c.json(batchAnswer(world, results, errors), errors.length === 0 ? 200 : 207)
}

async function readBatch(c: ApiContext, world: World, verb: 'read' | 'write') {
  const { portal } = c.get('caller')
  const type = getObjectType(world, portal.hubId, c.req.param('type') ?? '')
  requireScope(c.get('caller'), recordScope(type.typeId, verb))
  const body = await readJsonObject(c)
  const place: WritePlace = { world, portal, type }
  return { place, body, inputs: batchInputs(c, body, recordBatchLimit) }
}

function idsOf(inputs: readonly HubspotJson[]): string[] {
  return inputs.map((input) => getTextAt(input, 'id'))
}

/** The property that identifies the records of a batch: the same for all inputs, and unique. */
function oneIdProperty(place: WritePlace, inputs: readonly HubspotJson[]): string | undefined {
  const named = new Set(inputs.map((input) => textAt(input, 'idProperty')))
  if (named.size > 1) throw invalidInput('All inputs of a batch must use the same idProperty')
  const [idProperty] = named
  checkIdProperty(place.world, place.portal.hubId, place.type, idProperty)
  return idProperty
}

function missingRecords(place: WritePlace, ids: readonly string[]) {
  return notFound(
    `Could not get some ${place.type.noun} objects, they may be deleted or not exist. Check that ids are valid.`,
    { context: { ids } },
  )
}

function answerWrites(c: ApiContext, world: World, status: 200 | 201, outcome: BatchOutcome): Response {
  if (outcome.fault !== undefined) c.header('x-simulated-fault', outcome.fault)
  return c.json(batchAnswer(world, outcome.results, outcome.errors), outcome.errors.length > 0 ? 207 : status)
}
