import type { Hono } from 'hono'
import { type HubspotJson, isJsonObject, parseJsonObject, textAt, textsAt } from '../body.ts'
import { recordScope, requireScope, type SimulatorEnv } from '../caller.ts'
import { contactTypeId, type HubspotRecord, type Portal } from '../entities.ts'
import { invalidInput } from '../errors.ts'
import { getObjectType, type ObjectType } from '../object-types.ts'
import { openAnswersOf } from '../open-answers.ts'
import { findProperty } from '../properties/define.ts'
import { instantProperties } from '../properties/standard.ts'
import { recordAnswer } from '../records/answer.ts'
import { liveRecords } from '../records/find.ts'
import type { World } from '../world.ts'
import { type Properties, readFilters } from './filter.ts'

const pageLimit = 200
const defaultPage = 10
const resultLimit = 10_000

type Hit = { readonly record: HubspotRecord; readonly properties: Properties }

/** Search over the contents of the lagging index. Limits: search guide. */
export function serveSearch(app: Hono<SimulatorEnv>, world: World): void {
  app.post('/crm/objects/2026-09/:type/search', async (c) => {
    const { portal } = c.get('caller')
    const { hubId } = portal
    const type = getObjectType(world, hubId, c.req.param('type'))
    requireScope(c.get('caller'), recordScope(type.typeId, 'read'))
    const text = await c.req.text()
    const { searchLength } = openAnswersOf(portal)
    if (searchLength !== null && text.length > searchLength) {
      throw invalidInput(`The request body must not be longer than ${searchLength} characters`)
    }
    const body = parseJsonObject(text)
    const { limit, start } = readPage(body)
    const findType = (name: string) => findProperty(world, hubId, type.typeId, name)?.type
    const hits = sorted(listHits(world, portal, type, body), body, type, findType)
    const end = start + limit
    const names = textsAt(body, 'properties')
    return c.json({
      total: hits.length,
      results: hits.slice(start, end).map((hit) => recordAnswer(world, hit.record, names, hit.properties)),
      ...(end < hits.length ? { paging: { next: { after: String(end) } } } : {}),
    })
  })
}

function readPage(body: HubspotJson): { limit: number; start: number } {
  const limit = Number(textAt(body, 'limit') ?? defaultPage)
  const start = Number(textAt(body, 'after') ?? 0)
  if (!Number.isInteger(limit) || limit < 0 || limit > pageLimit) {
    throw invalidInput(`Invalid limit: it must be at most ${pageLimit}`)
  }
  if (!Number.isInteger(start) || start < 0)
    throw invalidInput('Invalid paging cursor: an integer is required')
  if (start + limit > resultLimit) throw invalidInput(`Paging beyond ${resultLimit} results is not supported`)
  return { limit, start }
}

function listHits(world: World, portal: Portal, type: ObjectType, body: HubspotJson): Hit[] {
  const { hubId } = portal
  const matches = readFilters(
    body,
    (name) => findProperty(world, hubId, type.typeId, name),
    openAnswersOf(portal).filterValues,
  )
  const query = textAt(body, 'query')?.toLowerCase()
  const hits: Hit[] = []
  for (const record of liveRecords(world, hubId, type.typeId)) {
    const properties = world.searchIndex.find(record)
    if (properties === undefined || !matches(properties)) continue
    if (query !== undefined && !isFoundBy(query, type, properties)) continue
    hits.push({ record, properties })
  }
  return hits
}

function isFoundBy(query: string, type: ObjectType, properties: Properties): boolean {
  const standard = type.typeId === contactTypeId ? ['email', 'firstname', 'lastname'] : ['name', 'domain']
  const searched = type.schema?.searchableProperties ?? standard
  return searched.some((name) => properties[name]?.toLowerCase().includes(query))
}

/** Sorted by the single requested sort, by creation otherwise. */
function sorted(
  hits: Hit[],
  body: HubspotJson,
  type: ObjectType,
  findType: (name: string) => string | undefined,
): Hit[] {
  const given = Array.isArray(body['sorts']) ? body['sorts'] : []
  if (given.length > 1) throw invalidInput('Only one sort is supported')
  const { named, direction } = sortOf(given[0])
  const name = named ?? instantProperties(type.typeId).created
  const isNumber = findType(name) === 'number'
  const key = ({ properties }: Hit) => (isNumber ? Number(properties[name] ?? 0) : (properties[name] ?? ''))
  return hits.sort((a, b) => {
    const [left, right] = [key(a), key(b)]
    if (left === right) return 0
    return left < right ? -direction : direction
  })
}

/** An object with property and direction, or the property as text, with a minus in front for descending order. */
function sortOf(given: unknown): { named: string | undefined; direction: 1 | -1 } {
  if (typeof given === 'string') {
    return { named: given.replace(/^-/, ''), direction: given.startsWith('-') ? -1 : 1 }
  }
  if (!isJsonObject(given)) return { named: undefined, direction: 1 }
  return {
    named: textAt(given, 'propertyName'),
    direction: textAt(given, 'direction') === 'DESCENDING' ? -1 : 1,
  }
}
