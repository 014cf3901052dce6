import type { Deps } from '../../deps.ts'
import type { CrmObject } from '../../providers/crm.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { CrmSession } from './with-crm.ts'

/** Why an object of ours cannot be created or used, and what a person can do before pressing Retry. */
export type Obstacle = { reason: string; advice: string }

/** Where a person finds the other ways to get the objects; the screens show them below the advice. */
const otherWays = 'Or use one of the other ways below.'

/** Permissions that were not granted, usually because the portal's plan has no custom objects. */
export function scopeObstacle({ crm }: Deps, session: CrmSession): Obstacle | null {
  const forObjects = crm.missingScopes(session.schemaScopes ?? session.scopes, 'objects')
  const forRecords = crm.missingScopes(session.scopes, 'records')
  const missing = [...forObjects, ...forRecords]
  if (missing.length === 0) return null
  const isConnectionShort = forRecords.length > 0
  // However the objects are made, such a connection may not write their records.
  const ways = isConnectionShort ? '' : ` ${otherWays}`
  const again = isConnectionShort
    ? `connect ${crm.name} again.`
    : `disconnect, connect again, and press Retry.${ways}`
  return {
    reason: `${crm.name} did not grant the permissions for custom objects: ${missing.join(', ')}.`,
    advice: session.isByKey
      ? `Add them to the service key in ${crm.name} under ${crm.keyPlace}, and enter the key again. Custom objects need an Enterprise subscription of at least one ${crm.name} Hub.${ways}`
      : `Custom objects need an Enterprise subscription of at least one ${crm.name} Hub, and a ${crm.name} user who may install apps and manage custom objects. When that is so, ${again}`,
  }
}

/** Objects are useless to a connection that may not read and write their records. */
export function recordObstacle(deps: Deps, session: CrmSession): Obstacle | null {
  return deps.crm.missingScopes(session.scopes, 'records').length === 0 ? null : scopeObstacle(deps, session)
}

/** Obstacles that we can know before trying to create objects; null if we know of none. */
export async function findObstacle(
  deps: Deps,
  session: CrmSession,
  absent: number,
): Promise<Obstacle | null> {
  if (absent === 0) return recordObstacle(deps, session)
  const missing = scopeObstacle(deps, session)
  if (missing !== null) return missing
  const free = await deps.crm.findFreeObjectSlots(session.access)
  if (free === null || free >= absent) return null
  return {
    reason: `The account has room for ${free} more custom objects, and ${absent} are needed.`,
    advice: `Delete custom objects that nobody uses anymore in ${deps.crm.name}, or raise the limit of the account, then press Retry.`,
  }
}

/** The name is taken although no object with it is visible: the CRM reserves the name of a deleted object. */
export function nameObstacle({ crm }: Deps, name: string): Obstacle {
  return {
    reason: `${crm.name} keeps the name ${name} taken, although there is no object of that name to use: most likely one was deleted.`,
    advice: `Restore that object in ${crm.name}, or delete it for good there, then press Retry.`,
  }
}

/** An object has our name but is not ours, or somebody changed its properties. */
export function problemObstacle({ crm }: Deps, problem: NonNullable<CrmObject['problem']>): Obstacle {
  return { reason: problem, advice: `When that is done in ${crm.name}, press Retry.` }
}

/** Somebody else made an object of our name: it is not ours to write to until a person says so. */
export function strangerObstacle({ crm }: Deps, name: string): Obstacle {
  return {
    reason: `${crm.name} already has an object named ${name} that Tributary did not create.`,
    advice: 'Open Create by hand, check the objects, and confirm there that they may be used.',
  }
}

/** What the CRM's refusal means for a person; undefined for an error that may pass by itself. */
export function refusalObstacle(deps: Deps, session: CrmSession, error: unknown): Obstacle | undefined {
  if (!(error instanceof ProviderError)) return undefined
  const { name } = deps.crm
  if (error.kind === 'forbidden') {
    const plan = `Custom objects need an Enterprise subscription of at least one ${name} Hub, and ${name} lets only some apps create them. When the account has the plan, press Retry. ${otherWays}`
    return scopeObstacle(deps, session) ?? { reason: error.message, advice: plan }
  }
  if (error.kind !== 'rejected') return undefined
  return { reason: error.message, advice: `When that is put right in ${name}, press Retry.` }
}
