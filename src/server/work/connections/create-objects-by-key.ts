import type { Deps } from '../../deps.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { Refusal } from '../../refusal.ts'
import { type CrmObjectsState, ensureObjects, stateOf } from '../crm/ensure-crm-objects.ts'
import { withCrm } from '../crm/with-crm.ts'
import { inspectServiceKey, lackingScopes, readServiceKey } from './service-key.ts'

/**
 * Creates the objects of the connected portal with a service key, for an app that may not. The key lives in this call
 * only. Refuses a key of another portal, and one without the scopes for schemas.
 */
export async function createObjectsByKey(
  deps: Deps,
  organizationId: number,
  input: string,
): Promise<CrmObjectsState> {
  const { crm } = deps
  const serviceKey = readServiceKey(deps, input)
  const connected = await withCrm(deps, organizationId, async ({ access, scopes, isByKey }) => ({
    portalId: access.portalId,
    scopes,
    isByKey,
  }))
  const key = await inspectServiceKey(deps, serviceKey)
  if (key.portalId !== connected.portalId) {
    throw new Refusal(
      'other_account',
      `This key belongs to ${crm.name} account ${key.portalId}, but account ${connected.portalId} is connected. Make a key in account ${connected.portalId}.`,
    )
  }
  const missing = crm.missingScopes(key.scopes, 'objects')
  if (missing.length > 0) throw lackingScopes(deps, missing)
  const session = {
    access: { portalId: key.portalId, token: async () => serviceKey },
    scopes: connected.scopes,
    schemaScopes: key.scopes,
    isByKey: connected.isByKey,
  }
  try {
    return stateOf(deps, (await ensureObjects(deps, organizationId, session)).rows, session.scopes)
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === 'unauthorized')) throw error
    throw new Refusal('provider_refused', `${crm.name} no longer accepts this key. Copy it again.`)
  }
}
