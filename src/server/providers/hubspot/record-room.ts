import type { CrmAccess } from '../crm-directory.ts'
import { ProviderError } from '../provider-error.ts'
import { recordLimitsAnswer } from './answers.ts'
import type { HubspotClient } from './client.ts'
import { companyTypeId, contactTypeId, paths } from './version.ts'

const known = new WeakMap<CrmAccess, Map<string, Promise<string | null>>>()

/**
 * Explains that the account has no room for more records of a type; null when it has room or does not say. Asks
 * once per session.
 */
export function findNoRoom(call: HubspotClient, access: CrmAccess, typeId: string): Promise<string | null> {
  const ofSession = known.get(access) ?? new Map<string, Promise<string | null>>()
  known.set(access, ofSession)
  const found = ofSession.get(typeId) ?? askRoom(call, access, typeId)
  ofSession.set(typeId, found)
  return found
}

async function askRoom(call: HubspotClient, access: CrmAccess, typeId: string): Promise<string | null> {
  try {
    const path = paths.recordLimits
    const answer = await call(access, { method: 'GET', path, answer: recordLimitsAnswer })
    const { customObjectTypes: custom, hubspotDefinedObjectTypes: standard = [] } = answer
    const isStandard = typeId === companyTypeId || typeId === contactTypeId
    const room = isStandard
      ? standard.find(({ objectTypeId }) => objectTypeId === typeId)
      : custom && { usage: custom.overallUsage, limit: custom.overallLimit }
    if (room === undefined || room.usage < room.limit) return null
    const what = isStandard ? 'records of this type' : 'records of custom objects'
    return `The account uses ${room.usage} of its ${room.limit} ${what}.`
  } catch (error) {
    const isSaid =
      error instanceof ProviderError && ['forbidden', 'not_found', 'rejected'].includes(error.kind)
    if (isSaid) return null
    throw error
  }
}
