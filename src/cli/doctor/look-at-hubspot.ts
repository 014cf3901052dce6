import type { Deps } from '#server/deps.ts'
import { type CrmSession, withAskedCrm } from '#server/work/crm/with-crm.ts'
import { oneLine } from '../one-line.ts'
import { type Symptom, symptomsOf } from './symptom.ts'

const scopes = symptomsOf('HubSpot scopes')
const limits = symptomsOf('HubSpot limits')

/** Asks HubSpot, reading only, what a connection may do and whether the account has room for our objects and records. */
export async function lookAtHubspot(deps: Deps, organizationId: number): Promise<Symptom[]> {
  const whose = `organization ${organizationId}`
  try {
    return await withAskedCrm(deps, organizationId, async (session) => {
      const ofScopes = await judgeScopes(deps, session, whose)
      // Without the scopes, HubSpot would not answer.
      return ofScopes.state === 'ok' ? [ofScopes, ...(await judgeLimits(deps, session, whose))] : [ofScopes]
    })
  } catch (error) {
    return [scopes.wrong(`${whose}: ${oneLine(error)}`)]
  }
}

async function judgeScopes({ crm }: Deps, session: CrmSession, whose: string): Promise<Symptom> {
  const { access, isByKey } = session
  await crm.getAccount(access)
  const granted = isByKey ? (await crm.inspectKey(await access.token())).scopes : session.scopes
  const needed = [...crm.missingScopes(granted, 'connection'), ...crm.missingScopes(granted, 'records')]
  const cure = isByKey ? `add them to the key under ${crm.keyPlace}` : 'connect again and agree to all'
  if (needed.length > 0) return scopes.wrong(`${whose}: ${needed.join(', ')} missing: ${cure}`)
  const forObjects = crm.missingScopes(granted, 'objects')
  if (forObjects.length === 0) return scopes.ok(`${whose}: all that are needed`)
  return scopes.warning(
    `${whose}: ${forObjects.join(', ')} missing, so the custom objects cannot be created or changed: ${cure}`,
  )
}

async function judgeLimits({ crm }: Deps, { access }: CrmSession, whose: string): Promise<Symptom[]> {
  const free = await crm.findFreeObjectSlots(access)
  const lacking = (await crm.findObjects(access)).filter(({ objectTypeId }) => objectTypeId === null)
  const full = await crm.findFullTypes(access)
  const symptoms = full.map((reason) => limits.wrong(`${whose}: ${reason}`))
  if (free !== null && free < lacking.length) {
    symptoms.unshift(
      limits.wrong(
        `${whose}: the account may have ${free} more custom objects, and ${lacking.length} are needed`,
      ),
    )
  }
  return symptoms.length > 0 ? symptoms : [limits.ok(`${whose}: there is room for objects and records`)]
}
