import type { Deps } from '../../deps.ts'
import type { CrmTokens } from '../../providers/crm.ts'
import type { NewConnection, ProviderConnection } from '../../store/connections/connections.ts'

export type StoredTokens = { accessToken: string; refreshToken: string }

/** Tokens are renewed after this share of their life, because the usage guide says not to rely on a 401. */
const renewAfter = 0.8

/** The place to which the tokens are sealed. */
export function crmSealPlace(organizationId: number) {
  return { organizationId, provider: 'crm', field: 'tokens' }
}

export function openTokens(
  deps: Pick<Deps, 'seal'>,
  organizationId: number,
  connection: Pick<ProviderConnection, 'sealed_secret'>,
): StoredTokens {
  const opened: unknown = JSON.parse(deps.seal.open(crmSealPlace(organizationId), connection.sealed_secret))
  if (
    typeof opened !== 'object' ||
    opened === null ||
    !('accessToken' in opened && typeof opened.accessToken === 'string') ||
    !('refreshToken' in opened && typeof opened.refreshToken === 'string')
  ) {
    throw new TypeError('the sealed tokens of the CRM are not readable')
  }
  return { accessToken: opened.accessToken, refreshToken: opened.refreshToken }
}

/** The connection row with these tokens. */
export function connectionOf(
  deps: Pick<Deps, 'seal'>,
  organizationId: number,
  tokens: CrmTokens,
  details: object,
  at: Date,
): NewConnection & { refreshDueAt: Date } {
  const { accessToken, refreshToken } = tokens
  const lifeMs = tokens.expiresInSeconds * 1_000
  return {
    provider: 'crm',
    accountId: tokens.portalId,
    isLive: null,
    sealedSecret: deps.seal.seal(crmSealPlace(organizationId), JSON.stringify({ accessToken, refreshToken })),
    secretHint: null,
    expiresAt: new Date(at.getTime() + lifeMs),
    refreshDueAt: new Date(at.getTime() + lifeMs * renewAfter),
    scopes: tokens.scopes,
    details,
    at,
  }
}
