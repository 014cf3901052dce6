import { type CrmKind, crmKinds } from '#domain/crm-record.ts'
import { type ConvertedFields, noConvertedFields } from '#domain/reporting/crm-converted.ts'
import type { Deps } from '../../deps.ts'
import type { CrmObject } from '../../providers/crm.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { recheckTargets } from '../../store/crm/crm-associations.ts'
import { type CrmObjectRow, listCrmObjects, saveCrmObject } from '../../store/crm/crm-objects.ts'
import { forgetKind, writeKindAgain } from '../../store/crm/crm-repairs.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { hasConverted } from '../../store/reporting/conversions.ts'
import { ensureConverted } from './converted-fields.ts'
import {
  findObstacle,
  nameObstacle,
  type Obstacle,
  problemObstacle,
  recordObstacle,
  refusalObstacle,
  strangerObstacle,
} from './object-obstacles.ts'
import { type CrmSession, withCrm } from './with-crm.ts'

export type CrmObjectsState = {
  isReady: boolean
  objects: { name: string; label: string; state: 'ready' | 'missing' | 'failed'; reason: string | null }[]
  /** What a person can do about it; null if nothing is wrong. */
  advice: string | null
  /** False for a connection that may not write records: objects made by a key or by hand would not help it. */
  hasOtherWays: boolean
}

/**
 * The objects in the portal, what we corrected because somebody had changed it there, the converted fields that records
 * have, and what is left out of them.
 */
export type EnsuredObjects = {
  rows: CrmObjectRow[]
  mended: string[]
  converted: ConvertedFields
  lacking: string[]
}

/** The state of both objects at the last look; asks the CRM nothing. */
export async function getCrmObjects(deps: Deps, organizationId: number): Promise<CrmObjectsState> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const connection = await findConnection(tenant, 'crm')
    const rows = connection?.account_id ? await listCrmObjects(tenant, connection.account_id) : []
    return stateOf(deps, rows, connection?.scopes ?? [])
  })
}

/** Finds or creates both objects with all their properties. May be repeated: each step looks before it creates. */
export function ensureCrmObjects(deps: Deps, organizationId: number): Promise<CrmObjectsState> {
  return withCrm(deps, organizationId, async (session) =>
    stateOf(deps, (await ensureObjects(deps, organizationId, session)).rows, session.scopes),
  )
}

/**
 * The same within a session. If an object had to be created again, forgets what was pushed to it. If it lacked
 * properties or associations, schedules every record to be written or associated again.
 */
export async function ensureObjects(
  deps: Deps,
  organizationId: number,
  session: CrmSession,
): Promise<EnsuredObjects> {
  const { portalId } = session.access
  const found = await findOrExplain(deps, session)
  let objects = Array.isArray(found) ? found : []
  const absent = objects.filter(({ objectTypeId }) => objectTypeId === null).length
  const obstacle = Array.isArray(found) ? await findObstacle(deps, session, absent) : found
  const { known, isConverted } = await inOrganization(deps.database, organizationId, async (tenant) => ({
    known: await listCrmObjects(tenant, portalId),
    isConverted: await hasConverted(tenant),
  }))
  const rows: CrmObjectRow[] = []
  const mended: string[] = []
  const converted: Record<CrmKind, readonly string[]> = { ...noConvertedFields }
  const lacking: string[] = []
  for (const kind of crmKinds) {
    const object = objects.find((one) => one.kind === kind)
    const isOurs = object !== undefined && isRecognized(object, known)
    // While the CRM shows no objects, what a person has confirmed stays confirmed.
    const unseenTypeId = object ? null : (known.find((row) => row.kind === kind)?.objectTypeId ?? null)
    const subscriptionTypeId =
      rows.find((one) => one.kind === 'subscription' && one.state === 'ready')?.objectTypeId ?? null
    const completed = await doubtWhatIsLost(deps, organizationId, portalId, object)
    const row = await ensureObject(deps, session, {
      ...{ kind, object, isOurs, unseenTypeId, obstacle, subscriptionTypeId },
    })
    const replaced = await keepRow(deps, organizationId, portalId, row)
    mended.push(...replaced, ...(row.state === 'ready' ? completed : []))
    rows.push(row)
    const ensured = await ensureConverted(deps, organizationId, session, { row, object, isConverted })
    converted[kind] = ensured.fields
    lacking.push(...ensured.lacking)
    // Existing events are not yet associated with a subscriptions object that we just created.
    const isNew = row.state === 'ready' && object?.objectTypeId === null
    if (isNew && objects.some(({ objectTypeId }) => objectTypeId !== null))
      objects = await deps.crm.findObjects(session.access)
  }
  return { rows, mended, converted, lacking }
}

/** An object is ours if we made it, or if it is the one that we used before or that a person confirmed. */
export function isRecognized(
  object: Pick<CrmObject, 'kind' | 'objectTypeId' | 'isMadeByUs'>,
  known: readonly CrmObjectRow[],
): boolean {
  if (object.objectTypeId === null || object.isMadeByUs) return true
  return known.some((row) => row.kind === object.kind && row.objectTypeId === object.objectTypeId)
}

/**
 * Schedules the values of lost properties and associations to be written again. It does so before they are recreated,
 * because afterwards the loss is invisible. Returns what to report.
 */
async function doubtWhatIsLost(
  deps: Deps,
  organizationId: number,
  portalId: string,
  object: CrmObject | undefined,
): Promise<string[]> {
  if (!object?.objectTypeId) return []
  const { kind, objectTypeId, missingFields, missingTargets } = object
  if (missingFields.length === 0 && missingTargets.length === 0) return []
  const isKnown = await inOrganization(deps.database, organizationId, async (tenant) => {
    const before = (await listCrmObjects(tenant, portalId)).find((one) => one.kind === kind)
    if (before?.objectTypeId !== objectTypeId) return false
    if (missingFields.length > 0) await writeKindAgain(tenant, portalId, kind)
    await recheckTargets(tenant, portalId, kind, missingTargets)
    return true
  })
  if (!isKnown) return []
  const { label } = deps.crm.describeObject(kind)
  const { name } = deps.crm
  const ofFields = `Properties of ${label} were gone from ${name} and were made again; all its records are written again.`
  const ofTargets = missingTargets.map(
    (target) =>
      `The association of ${label} with the ${target} was gone from ${name} and was made again, with those of all its records.`,
  )
  return missingFields.length > 0 ? [ofFields, ...ofTargets] : ofTargets
}

/**
 * Saves the object's id. If it is a different object than before, forgets what was pushed to the old one and reports
 * that.
 */
function keepRow(deps: Deps, organizationId: number, portalId: string, row: CrmObjectRow): Promise<string[]> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const before = (await listCrmObjects(tenant, portalId)).find((one) => one.kind === row.kind)
    await saveCrmObject(tenant, portalId, row, deps.now())
    const isReplaced =
      row.state === 'ready' && before?.objectTypeId && before.objectTypeId !== row.objectTypeId
    if (!isReplaced) return []
    await forgetKind(tenant, portalId, row.kind)
    const { label } = deps.crm.describeObject(row.kind)
    return [
      `The object ${label} was gone from ${deps.crm.name} and was made again; all its records are written again.`,
    ]
  })
}

async function findOrExplain(deps: Deps, session: CrmSession): Promise<CrmObject[] | Obstacle> {
  try {
    return await deps.crm.findObjects(session.access)
  } catch (error) {
    const obstacle = refusalObstacle(deps, session, error)
    if (obstacle === undefined) throw error
    return obstacle
  }
}

type Wanted = {
  kind: CrmKind
  object: CrmObject | undefined
  isOurs: boolean
  /** The id of an object that we know but cannot see now. */
  unseenTypeId: string | null
  /** Why an absent object cannot be made. */
  obstacle: Obstacle | null
  subscriptionTypeId: string | null
}

async function ensureObject(deps: Deps, session: CrmSession, wanted: Wanted): Promise<CrmObjectRow> {
  const { kind, object, isOurs, unseenTypeId, obstacle, subscriptionTypeId } = wanted
  // The id of a stranger's object is not kept, because a kept one counts as confirmed.
  const objectTypeId = isOurs ? (object?.objectTypeId ?? null) : null
  const failed = (why: Obstacle): CrmObjectRow => ({
    ...{ kind, state: 'failed', ...why },
    objectTypeId: objectTypeId ?? unseenTypeId,
  })
  if (object && !isOurs) return failed(strangerObstacle(deps, deps.crm.describeObject(kind).name))
  const unwritable = recordObstacle(deps, session)
  if (unwritable !== null) return failed(unwritable)
  if (object?.problem) return failed(problemObstacle(deps, object.problem))
  if (objectTypeId === null && obstacle !== null) return failed(obstacle)
  if (objectTypeId === null && kind === 'event' && subscriptionTypeId === null) {
    const reason = 'The events object is made after the subscriptions object.'
    return { kind, objectTypeId, state: 'missing', reason, advice: null }
  }
  try {
    const typeId = objectTypeId ?? (await createOrFind(deps, session, kind, subscriptionTypeId))
    if (typeId === null) return failed(nameObstacle(deps, deps.crm.describeObject(kind).name))
    await complete(deps, session, kind, typeId, object, subscriptionTypeId)
    return { kind, objectTypeId: typeId, state: 'ready', reason: null, advice: null }
  } catch (error) {
    const why = refusalObstacle(deps, session, error)
    if (why === undefined) throw error
    return failed(why)
  }
}

/** If two processes create it at once, one is refused because the name is taken, and finds the other's. */
async function createOrFind(
  deps: Deps,
  { access }: CrmSession,
  kind: CrmKind,
  subscriptionTypeId: string | null,
): Promise<string | null> {
  const created = await deps.crm.createObject(access, kind, subscriptionTypeId)
  if (created !== null) return created
  const objects = await deps.crm.findObjects(access)
  const usable = objects.find(
    (object) => object.kind === kind && object.isMadeByUs && object.problem === null,
  )
  return usable?.objectTypeId ?? null
}

async function complete(
  deps: Deps,
  { access }: CrmSession,
  kind: CrmKind,
  typeId: string,
  object: CrmObject | undefined,
  subscriptionTypeId: string | null,
): Promise<void> {
  if (!object?.objectTypeId) return
  await deps.crm.addFields(access, kind, typeId, object.missingFields)
  await deps.crm.addOptions(access, kind, typeId, object.missingOptions)
  const subscription = kind === 'subscription' ? typeId : subscriptionTypeId
  const types = { ...(subscription !== null && { subscription }), [kind]: typeId }
  await deps.crm.addTargets(access, kind, types, object.missingTargets)
}

/** Whether both custom objects are ready, and what to do where one is not. */
export function stateOf(
  { crm }: Deps,
  rows: readonly CrmObjectRow[],
  scopes: readonly string[],
): CrmObjectsState {
  const objects = crmKinds.map((kind) => {
    const row = rows.find((one) => one.kind === kind)
    return {
      ...crm.describeObject(kind),
      state: row?.state ?? ('missing' as const),
      reason: row?.reason ?? null,
    }
  })
  const advice = [...new Set(rows.flatMap((row) => row.advice ?? []))]
  const isReady = objects.every(({ state }) => state === 'ready')
  const hasOtherWays = crm.missingScopes(scopes, 'records').length === 0
  return { isReady, objects, advice: advice.length === 0 ? null : advice.join(' '), hasOtherWays }
}
