import type { Hono } from 'hono'
import { getTextAt, objectAt, readJsonObject, textAt } from '../body.ts'
import { type ApiContext, recordScope, requireScope, type SimulatorEnv } from '../caller.ts'
import { contactTypeId, type HubspotRecord } from '../entities.ts'
import { invalidInput, notFound } from '../errors.ts'
import { getObjectType } from '../object-types.ts'
import type { World } from '../world.ts'
import { associationsAnswer, recordAnswer } from './answer.ts'
import { applyWrite } from './apply.ts'
import type { WritePlace } from './check-properties.ts'
import { findRecord, getSingleRecord, liveRecords, recordKey } from './find.ts'
import { mergeRecords } from './merge.ts'
import { planCreate, planUpdate } from './plan.ts'
import { archiveRecord, deleteForGood } from './store-record.ts'

const path = '/crm/objects/2026-09/:type'
const pageLimit = 100
const defaultPage = 10

/** Listing and single calls of records. Shapes: using-object-apis guide. */
export function serveRecordRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(path, (c) => listPage(c, world))
  app.post(path, async (c) => {
    const place = placeOf(c, world, 'write')
    const plan = planCreate(place, new Set(), await readJsonObject(c))
    return c.json(recordAnswer(world, applyWrite(place, plan), plan.namesSent), 201)
  })
  app.post(`${path}/gdpr-delete`, async (c) => {
    const place = placeOf(c, world, 'write')
    if (place.type.typeId !== contactTypeId) throw notFound('resource not found')
    const body = await readJsonObject(c)
    const idProperty = textAt(body, 'idProperty')
    deleteForGood(
      world,
      getSingleRecord(world, place.portal.hubId, place.type, getTextAt(body, 'objectId'), idProperty),
    )
    return c.body(null, 204)
  })
  app.post(`${path}/merge`, async (c) => {
    const { portal, type } = placeOf(c, world, 'write')
    const body = await readJsonObject(c)
    const [primary, secondary] = ['primaryObjectId', 'objectIdToMerge'].map((name) =>
      getSingleRecord(world, portal.hubId, type, getTextAt(body, name), undefined),
    )
    if (!primary || !secondary || primary.id === secondary.id) {
      throw invalidInput('A record cannot be merged with itself')
    }
    return c.json(recordAnswer(world, mergeRecords(world, primary, secondary)))
  })
  app.get(`${path}/:id`, (c) => {
    const place = placeOf(c, world, 'read')
    const record = c.req.query('archived') === 'true' ? getArchived(place, c) : getNamed(place, c)
    const associations = listed(c, 'associations') ?? []
    return c.json({
      ...recordAnswer(world, record, listed(c, 'properties')),
      ...associationsAnswer(world, record, associations),
    })
  })
  app.patch(`${path}/:id`, async (c) => {
    const place = placeOf(c, world, 'write')
    const body = await readJsonObject(c)
    const plan = planUpdate(place, new Set(), getNamed(place, c), objectAt(body, 'properties'))
    return c.json(recordAnswer(world, applyWrite(place, plan), plan.namesSent))
  })
  app.delete(`${path}/:id`, (c) => {
    const place = placeOf(c, world, 'write')
    const record = findRecord(world, place.portal.hubId, place.type.typeId, c.req.param('id'))
    if (record !== undefined) archiveRecord(world, record)
    return c.body(null, 204)
  })
}

function listPage(c: ApiContext, world: World): Response {
  const place = placeOf(c, world, 'read')
  const { hubId } = place.portal
  const limit = Number(c.req.query('limit') ?? defaultPage)
  if (!Number.isInteger(limit) || limit < 1 || limit > pageLimit) {
    throw invalidInput(`Invalid limit: it must be between 1 and ${pageLimit}`)
  }
  const after = c.req.query('after')
  if (after !== undefined && !/^\d+$/.test(after)) throw invalidInput('Invalid paging cursor')
  const rows =
    c.req.query('archived') === 'true'
      ? archivedRecords(place, after)
      : liveRecords(world, hubId, place.type.typeId, after)
  const page: HubspotRecord[] = []
  let hasMore = false
  for (const record of rows) {
    hasMore = page.length === limit
    if (hasMore) break
    page.push(record)
  }
  const associations = listed(c, 'associations') ?? []
  const names = listed(c, 'properties')
  const results = page.map((record) => ({
    ...recordAnswer(world, record, names),
    ...associationsAnswer(world, record, associations),
  }))
  return c.json({ results, ...(hasMore ? { paging: nextPage(c, world, page.at(-1)?.id ?? '') } : {}) })
}

function nextPage(c: ApiContext, world: World, after: string) {
  const query = new URLSearchParams(new URL(c.req.url).search)
  query.set('after', after)
  return { next: { after, link: `${world.settings.apiUrl}${c.req.path}?${query}` } }
}

function placeOf(c: ApiContext, world: World, verb: 'read' | 'write'): WritePlace {
  const { portal } = c.get('caller')
  const type = getObjectType(world, portal.hubId, c.req.param('type') ?? '')
  requireScope(c.get('caller'), recordScope(type.typeId, verb))
  return { world, portal, type }
}

function getNamed(place: WritePlace, c: ApiContext): HubspotRecord {
  const id = c.req.param('id') ?? ''
  return getSingleRecord(place.world, place.portal.hubId, place.type, id, c.req.query('idProperty'))
}

function getArchived(place: WritePlace, c: ApiContext): HubspotRecord {
  const key = recordKey(place.portal.hubId, place.type.typeId, c.req.param('id') ?? '')
  const record = place.world.records.get(key)
  if (record === undefined || record.archivedAt === null) {
    throw notFound('Object not found.  objectId are usually numeric.')
  }
  return record
}

function* archivedRecords(place: WritePlace, after: string | undefined): Generator<HubspotRecord> {
  const { world, portal, type } = place
  for (const id of world.recordIndex.idsAfter(portal.hubId, type.typeId, after)) {
    const record = world.records.get(recordKey(portal.hubId, type.typeId, id))
    if (record !== undefined && record.archivedAt !== null) yield record
  }
}

/** A query field with several names, separated by commas or repeated. */
function listed(c: ApiContext, name: string): string[] | undefined {
  const given = c.req.queries(name)
  return given?.flatMap((text) => text.split(',')).filter((one) => one !== '')
}
