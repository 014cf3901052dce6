import type { Deps } from '../../deps.ts'
import type { CrmObject } from '../../providers/crm.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { CrmSession } from './with-crm.ts'

/** Why an object of ours cannot be created or used, and what a person can do before pressing Retry. */
export type Obstacle = { reason: string; advice: string }

/** Permissions that were not granted, usually because the portal's plan has no custom objects. */
export function scopeObstacle({ crm }: Deps, scopes: readonly string[]): Obstacle | null {
  const missing = crm.missingObjectScopes(scopes)
  if (missing.length === 0) return null
  return {
    reason: `${crm.name} did not grant the permissions for custom objects: ${missing.join(', ')}.`,
    advice: `Custom objects need an Enterprise subscription of at least one ${crm.name} Hub, and a ${crm.name} user who may install apps and manage custom objects. When that is so, disconnect, connect again, and press Retry.`,
  }
}

/** Obstacles that we can know before trying to create objects; null if we know of none. */
export async function findObstacle(
  deps: Deps,
  { access, scopes }: CrmSession,
  absent: number,
): Promise<Obstacle | null> {
  if (absent === 0) return null
  const missing = scopeObstacle(deps, scopes)
  if (missing !== null) return missing
  const free = await deps.crm.findFreeObjectSlots(access)
  if (free === null || free >= absent) return null
  return {
    reason: `The account has room for ${free} more custom objects, and ${absent} are needed.`,
    advice: `Delete custom objects that nobody uses any more in ${deps.crm.name}, or raise the limit of the account, then press Retry.`,
  }
}

/** The name is taken although no object with it is visible: HubSpot reserves the name of a deleted object. */
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

/** What the CRM's refusal means for a person; undefined for an error that may pass by itself. */
export function refusalObstacle(deps: Deps, { scopes }: CrmSession, error: unknown): Obstacle | undefined {
  if (!(error instanceof ProviderError)) return undefined
  if (error.kind === 'forbidden') {
    const plan = `Custom objects need an Enterprise subscription of at least one ${deps.crm.name} Hub. When the account has one, disconnect, connect again, and press Retry.`
    return scopeObstacle(deps, scopes) ?? { reason: error.message, advice: plan }
  }
  if (error.kind !== 'rejected') return undefined
  return { reason: error.message, advice: `When that is put right in ${deps.crm.name}, press Retry.` }
}
