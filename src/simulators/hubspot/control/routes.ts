import { Hono } from 'hono'
import {
  flagAt,
  getTextAt,
  type HubspotJson,
  isJsonObject,
  numberAt,
  objectAt,
  readJsonObject,
  textAt,
  textsAt,
} from '../body.ts'
import type { SimulatorEnv } from '../caller.ts'
import type { HubspotRecord, Portal, PortalRate } from '../entities.ts'
import { HubspotError, invalidInput, notFound } from '../errors.ts'
import { noLimits } from '../limits.ts'
import { uninstall } from '../oauth/tokens.ts'
import { getObjectType } from '../object-types.ts'
import { openAnswersOf, readOpenAnswers } from '../open-answers.ts'
import type { SchemaRefusals } from '../options.ts'
import { findPortal } from '../portals.ts'
import { hostSpellings } from '../properties/email.ts'
import { recordAnswer } from '../records/answer.ts'
import { applyWrite } from '../records/apply.ts'
import { findRecord, recordKey } from '../records/find.ts'
import { mergeRecords } from '../records/merge.ts'
import { planCreate, planUpdate } from '../records/plan.ts'
import { uniqueKeys } from '../records/record-index.ts'
import { archiveRecord, newestRecordId, restoreRecord, updateRecord } from '../records/store-record.ts'
import type { World } from '../world.ts'
import { readLimits } from './read-limits.ts'

/**
 * What people do in HubSpot without the app: create, edit, merge, delete and restore records, change settings, remove
 * the app.
 */
export function controlRoutes(world: World): Hono<SimulatorEnv> {
  const app = new Hono<SimulatorEnv>()
  app.post('/_control/create', async (c) => {
    const body = await readJsonObject(c)
    const place = placeOf(world, body)
    return c.json(recordAnswer(world, applyWrite(place, planCreate(place, new Set(), body))), 201)
  })
  app.post('/_control/edit', async (c) => {
    const body = await readJsonObject(c)
    const place = placeOf(world, body)
    const plan = planUpdate(place, new Set(), getNamed(world, body, 'id'), objectAt(body, 'properties'))
    return c.json(recordAnswer(world, applyWrite(place, plan)))
  })
  app.post('/_control/merge', async (c) => {
    const body = await readJsonObject(c)
    const [primary, secondary] = [getNamed(world, body, 'primaryId'), getNamed(world, body, 'secondaryId')]
    if (primary.id === secondary.id) throw invalidInput('A record cannot be merged with itself')
    return c.json(recordAnswer(world, mergeRecords(world, primary, secondary)))
  })
  app.post('/_control/archive', async (c) => {
    archiveRecord(world, getNamed(world, await readJsonObject(c), 'id'))
    return c.body(null, 204)
  })
  app.post('/_control/restore', async (c) => {
    restore(world, await readJsonObject(c))
    return c.body(null, 204)
  })
  app.post('/_control/log-activity', async (c) => {
    const record = getNamed(world, await readJsonObject(c), 'id')
    const loggedAt = new Date(world.now()).toISOString()
    updateRecord(world, record, { ...record.properties, notes_last_updated: loggedAt })
    return c.body(null, 204)
  })
  app.post('/_control/settings', async (c) => c.json(changeSettings(world, await readJsonObject(c))))
  app.post('/_control/lags', async (c) => {
    const body = await readJsonObject(c)
    world.lags = {
      searchLagMs: Number(textAt(body, 'searchLagMs') ?? world.lags.searchLagMs),
      schemaSettleMs: Number(textAt(body, 'schemaSettleMs') ?? world.lags.schemaSettleMs),
      associationLagMs: Number(textAt(body, 'associationLagMs') ?? world.lags.associationLagMs),
    }
    return c.json(world.lags)
  })
  app.post('/_control/revoke-app', async (c) => {
    uninstall(world, getPortal(world, await readJsonObject(c)).hubId)
    return c.body(null, 204)
  })
  return app
}

function changeSettings(world: World, body: HubspotJson): Portal {
  const portal = getPortal(world, body)
  const tier = textAt(body, 'tier') ?? portal.tier
  if (tier !== 'enterprise' && tier !== 'professional') throw invalidInput(`There is no tier ${tier}`)
  const required = body['adminRequired']
  const emailHosts = hostSpellings.find((one) => one === textAt(body, 'emailHosts'))
  const limit = Number(textAt(body, 'customObjectLimit') ?? portal.customObjectLimit)
  const createsCompanies = flagAt(body, 'createCompaniesFromContacts') ?? portal.createCompaniesFromContacts
  const isSwitchedOn = createsCompanies && !portal.createCompaniesFromContacts
  const changed: Portal = {
    ...portal,
    tier,
    customObjectLimit: Number.isInteger(limit) ? limit : portal.customObjectLimit,
    dataHostingLocation: textAt(body, 'dataHostingLocation') === 'eu1' ? 'eu1' : portal.dataHostingLocation,
    createCompaniesFromContacts: createsCompanies,
    createCompaniesSince: isSwitchedOn
      ? { at: world.now(), recordId: newestRecordId(world, portal.hubId) }
      : portal.createCompaniesSince,
    optedOutDomains: textsAt(body, 'optedOutDomains') ?? portal.optedOutDomains,
    rotateRefreshTokens: flagAt(body, 'rotateRefreshTokens') ?? portal.rotateRefreshTokens,
    emailHosts: emailHosts ?? portal.emailHosts,
    adminRequired: isJsonObject(required) ? readRequired(required) : portal.adminRequired,
    associationsMoveContacts:
      flagAt(body, 'associationsMoveContacts') ?? portal.associationsMoveContacts ?? false,
    limits: readLimits(portal.limits ?? noLimits, objectAt(body, 'limits')),
    ...readCurrencies(body),
    ...('accountType' in body && { accountType: getTextAt(body, 'accountType') }),
    openAnswers: readOpenAnswers(openAnswersOf(portal), objectAt(body, 'openAnswers')),
    ...('schemaRefusals' in body && { schemaRefusals: readRefusals(objectAt(body, 'schemaRefusals')) }),
  }
  world.portals.put(String(portal.hubId), changed)
  return changed
}

/** Each rate as `{from, rate, effectiveAt}`, to the company currency. */
function readCurrencies(given: HubspotJson): Pick<Portal, 'companyCurrency' | 'exchangeRates'> {
  const companyCurrency = textAt(given, 'companyCurrency')
  const rates = given['exchangeRates']
  return {
    ...(companyCurrency !== undefined && { companyCurrency }),
    ...(Array.isArray(rates) && { exchangeRates: rates.filter(isJsonObject).map(readRate) }),
  }
}

function readRate(given: HubspotJson): PortalRate {
  const [rate, effectiveAt] = [numberAt(given, 'rate'), Date.parse(getTextAt(given, 'effectiveAt'))]
  if (rate === null || rate <= 0 || Number.isNaN(effectiveAt)) throw invalidInput('That is no exchange rate')
  return { from: getTextAt(given, 'from'), to: getTextAt(given, 'to'), rate, effectiveAt }
}

function readRefusals(given: HubspotJson): SchemaRefusals {
  const named = (name: string) =>
    (['plan', 'scope', 'approval'] as const).find((one) => one === textAt(given, name)) ?? null
  return { app: named('app'), key: named('key') }
}

/** Required property names by object type id. */
function readRequired(given: HubspotJson): Record<string, string[]> {
  const lists = Object.entries(given).map(([typeId, names]) => {
    const list = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
    return [typeId, list] as const
  })
  return Object.fromEntries(lists)
}

/** Restores a record from the recycle bin, unless another record now holds its unique values. */
function restore(world: World, body: HubspotJson): void {
  const { portal, type } = placeOf(world, body)
  const key = recordKey(portal.hubId, type.typeId, getTextAt(body, 'id'))
  const record = world.records.get(key)
  if (record === undefined || record.archivedAt === null) throw notFound('There is no such archived record')
  const keys = uniqueKeys(record, (name) => world.isUnique(portal.hubId, type.typeId, name))
  if (keys.some((one) => world.recordIndex.holderOf(one) !== undefined)) {
    throw new HubspotError(409, {
      message: 'Another record holds a unique value of this one',
      category: 'CONFLICT',
    })
  }
  restoreRecord(world, record)
}

function getPortal(world: World, body: HubspotJson): Portal {
  const portal = findPortal(world, getTextAt(body, 'hubId'))
  if (portal === undefined) throw notFound('There is no such account')
  return portal
}

function placeOf(world: World, body: HubspotJson) {
  const portal = getPortal(world, body)
  return { world, portal, type: getObjectType(world, portal.hubId, getTextAt(body, 'type')) }
}

function getNamed(world: World, body: HubspotJson, idField: string): HubspotRecord {
  const { portal, type } = placeOf(world, body)
  const record = findRecord(world, portal.hubId, type.typeId, getTextAt(body, idField))
  if (record === undefined) throw notFound('Object not found.  objectId are usually numeric.')
  return record
}
