import { type CrmKind, crmKinds } from '#domain/crm-record.ts'
import type { Deps } from '../deps.ts'
import type { CrmObject } from '../providers/crm.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { findConnection } from '../store/connections.ts'
import { type CrmObjectRow, listCrmObjects, saveCrmObject } from '../store/crm-objects.ts'
import { inOrganization } from '../store/database.ts'
import { type CrmSession, withCrm } from './crm/with-crm.ts'

export type CrmObjectsState = {
  isReady: boolean
  objects: { name: string; label: string; state: 'ready' | 'missing' | 'failed'; reason: string | null }[]
  /** What to do about it; null when nothing. */
  advice: string | null
}

/** How the two objects stood when they were last looked at; asks the CRM nothing. */
export async function getCrmObjects(deps: Deps, organizationId: number): Promise<CrmObjectsState> {
  const rows = await inOrganization(deps.database, organizationId, async (tenant) => {
    const connection = await findConnection(tenant, 'crm')
    return connection?.account_id ? listCrmObjects(tenant, connection.account_id) : []
  })
  return stateOf(deps, rows)
}

/** Finds or creates both objects with all their properties. May be repeated: each step looks before it makes. */
export function ensureCrmObjects(deps: Deps, organizationId: number): Promise<CrmObjectsState> {
  return withCrm(deps, organizationId, async (session) =>
    stateOf(deps, await ensureObjects(deps, organizationId, session)),
  )
}

/** The same within a session, giving the objects' places in the portal. */
export async function ensureObjects(
  deps: Deps,
  organizationId: number,
  session: CrmSession,
): Promise<CrmObjectRow[]> {
  const rows: CrmObjectRow[] = []
  const found = await findOrExplain(deps, session)
  const absent = typeof found === 'string' ? 0 : found.filter(({ objectTypeId }) => !objectTypeId).length
  const obstacle = typeof found === 'string' ? found : await findObstacle(deps, session, absent)
  for (const kind of crmKinds) {
    const object = typeof found === 'string' ? undefined : found.find((one) => one.kind === kind)
    const subscriptionTypeId = rows.find((row) => row.kind === 'subscription')?.objectTypeId ?? null
    const row = await ensureObject(deps, session, { kind, object, obstacle, subscriptionTypeId })
    await inOrganization(deps.database, organizationId, (tenant) =>
      saveCrmObject(tenant, session.access.portalId, row, deps.now()),
    )
    rows.push(row)
  }
  return rows
}

async function findOrExplain(deps: Deps, { access, scopes }: CrmSession): Promise<CrmObject[] | string> {
  try {
    return await deps.crm.findObjects(access)
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === 'forbidden')) throw error
    return missingScopes(deps, scopes) ?? error.message
  }
}

function missingScopes({ crm }: Deps, scopes: readonly string[]): string | null {
  const missing = crm.missingObjectScopes(scopes)
  return missing.length === 0
    ? null
    : `${crm.name} did not grant the permissions for custom objects: ${missing.join(', ')}.`
}

/** Why objects could not be made even before one tries; null when nothing is known to be in the way. */
async function findObstacle(deps: Deps, session: CrmSession, absent: number): Promise<string | null> {
  if (absent === 0) return null
  const missing = missingScopes(deps, session.scopes)
  if (missing !== null) return missing
  const free = await deps.crm.findFreeObjectSlots(session.access)
  return free !== null && free < absent
    ? `The account has room for ${free} more custom objects, and ${absent} are needed.`
    : null
}

type Wanted = {
  kind: CrmKind
  object: CrmObject | undefined
  obstacle: string | null
  subscriptionTypeId: string | null
}

async function ensureObject(deps: Deps, session: CrmSession, wanted: Wanted): Promise<CrmObjectRow> {
  const { kind, object, obstacle, subscriptionTypeId } = wanted
  const objectTypeId = object?.objectTypeId ?? null
  const failed = (reason: string): CrmObjectRow => ({ kind, objectTypeId, state: 'failed', reason })
  if (object?.problem) return failed(object.problem)
  if (objectTypeId === null && obstacle !== null) return failed(obstacle)
  if (objectTypeId === null && kind === 'event' && subscriptionTypeId === null) {
    return { kind, objectTypeId, state: 'missing', reason: 'It is made after the subscriptions object.' }
  }
  try {
    const typeId = objectTypeId ?? (await createOrFind(deps, session, kind, subscriptionTypeId))
    await complete(deps, session, kind, typeId, object, subscriptionTypeId)
    return { kind, objectTypeId: typeId, state: 'ready', reason: null }
  } catch (error) {
    if (error instanceof ProviderError && (error.kind === 'forbidden' || error.kind === 'rejected')) {
      return failed(error.message)
    }
    throw error
  }
}

/** Of two that create at once, one is refused for the taken name and finds the other's. */
async function createOrFind(
  deps: Deps,
  { access }: CrmSession,
  kind: CrmKind,
  subscriptionTypeId: string | null,
): Promise<string> {
  try {
    return await deps.crm.createObject(access, kind, subscriptionTypeId)
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === 'rejected')) throw error
    const objects = await deps.crm.findObjects(access)
    const made = objects.find((object) => object.kind === kind && object.problem === null)
    if (!made?.objectTypeId) throw error
    return made.objectTypeId
  }
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
  const subscription = kind === 'subscription' ? typeId : subscriptionTypeId
  const types = { ...(subscription !== null && { subscription }), [kind]: typeId }
  await deps.crm.addTargets(access, kind, types, object.missingTargets)
}

function stateOf(deps: Deps, rows: readonly CrmObjectRow[]): CrmObjectsState {
  const objects = crmKinds.map((kind) => {
    const row = rows.find((one) => one.kind === kind)
    return {
      ...deps.crm.describeObject(kind),
      state: row?.state ?? ('missing' as const),
      reason: row?.reason ?? null,
    }
  })
  const isReady = objects.every(({ state }) => state === 'ready')
  const hasFailed = objects.some(({ state }) => state === 'failed')
  return { isReady, objects, advice: hasFailed ? adviceFor(deps.crm.name) : null }
}

function adviceFor(name: string): string {
  return `Custom objects need an Enterprise subscription of at least one ${name} Hub with two free custom object slots, and a ${name} user who may install apps and manage custom objects. Once that is so, disconnect and connect again if permissions were missing, then press Retry.`
}
