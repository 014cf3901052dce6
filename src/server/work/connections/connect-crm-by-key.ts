import type { Deps } from '../../deps.ts'
import { keyConnectionOf } from '../crm/sealed-tokens.ts'
import type { Connector } from './connect-crm.ts'
import { connectedMessage } from './connect-crm.ts'
import { describeAccount, keepCrmConnection } from './keep-crm-connection.ts'
import { inspectServiceKey, lackingScopes, readServiceKey } from './service-key.ts'

/**
 * Connects a portal by a service key, or replaces the key or the consent of the connected one. A refusal says what to do
 * and changes nothing; a key of another portal than the connected one is refused.
 */
export async function connectCrmByKey(
  deps: Deps,
  connector: Pick<Connector, 'organizationId' | 'userId'>,
  input: string,
): Promise<{ portalId: string; message: string }> {
  const { crm } = deps
  const { organizationId } = connector
  const serviceKey = readServiceKey(deps, input)
  const { portalId, scopes } = await inspectServiceKey(deps, serviceKey)
  const missing = crm.missingScopes(scopes, 'connection')
  if (missing.length > 0) throw lackingScopes(deps, missing.concat(missingForObjects(deps, scopes)))
  // Proves that the account can be read with the key before it takes the place of another secret.
  const account = await crm.getAccount({ portalId, token: async () => serviceKey })
  const connection = keyConnectionOf(
    deps,
    organizationId,
    { serviceKey, portalId, scopes },
    account,
    deps.now(),
  )
  const kept = await keepCrmConnection(deps, connector, connection, { keepsPortal: true })
  await describeAccount(deps, organizationId, kept.earlierPortal === null)
  if (kept.replacedRefreshToken !== null) await revokeQuietly(deps, kept.replacedRefreshToken)
  return { portalId, message: messageOf(deps, { portalId, scopes }, kept) }
}

/** Without these the portal connects, and the objects step says what to do. */
function missingForObjects({ crm }: Deps, scopes: readonly string[]): string[] {
  return [...crm.missingScopes(scopes, 'objects'), ...crm.missingScopes(scopes, 'records')]
}

function messageOf(
  deps: Deps,
  { portalId, scopes }: { portalId: string; scopes: string[] },
  { earlierPortal, isReplaced }: { earlierPortal: string | null; isReplaced: boolean },
): string {
  const { name } = deps.crm
  const missing = missingForObjects(deps, scopes)
  const lacks = missing.length === 0 ? '' : ` The key lacks ${missing.join(', ')}.`
  const isUpdate = isReplaced && earlierPortal === null
  return `${isUpdate ? `${name} service key updated.` : connectedMessage(name, portalId, earlierPortal)}${lacks}`
}

async function revokeQuietly({ crm, log }: Deps, refreshToken: string): Promise<void> {
  try {
    await crm.revokeTokens(refreshToken)
  } catch (error) {
    log.warn({ error }, 'the consent was replaced by a key, but could not be revoked at the CRM')
  }
}
