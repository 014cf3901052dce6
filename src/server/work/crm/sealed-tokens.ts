import type { Deps } from '../../deps.ts'
import type { CrmTokens } from '../../providers/crm.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { NewConnection, ProviderConnection } from '../../store/connections/connections.ts'

/** A service key is stored as an access token that has no refresh token. */
export type StoredTokens = { accessToken: string; refreshToken: string | null }

/** Tokens are renewed after this share of their life, because the usage guide says not to rely on a 401. */
const renewAfter = 0.8

/** The place to which the tokens are sealed. */
export function crmSealPlace(organizationId: number) {
  return { organizationId, provider: 'crm', field: 'tokens' }
}

/** Decrypts the tokens of a connection. Those that no key opens are as good as refused: it throws `unauthorized`. */
export function openTokens(
  deps: Pick<Deps, 'seal'>,
  organizationId: number,
  connection: Pick<ProviderConnection, 'sealed_secret'>,
): StoredTokens {
  const opened: unknown = JSON.parse(openSealed(deps, organizationId, connection.sealed_secret))
  if (
    typeof opened !== 'object' ||
    opened === null ||
    !('accessToken' in opened && typeof opened.accessToken === 'string') ||
    !('refreshToken' in opened && (typeof opened.refreshToken === 'string' || opened.refreshToken === null))
  ) {
    throw new TypeError('the sealed tokens of the CRM are not readable')
  }
  return { accessToken: opened.accessToken, refreshToken: opened.refreshToken }
}

/** The same for work that ends or replaces the connection: it must succeed even if no key opens the tokens. */
export function openTokensQuietly(...connection: Parameters<typeof openTokens>): StoredTokens | undefined {
  try {
    return openTokens(...connection)
  } catch {
    return undefined
  }
}

/** Tokens that we cannot open, because the ring lacks their key or somebody changed them, are as good as refused. */
function openSealed({ seal }: Pick<Deps, 'seal'>, organizationId: number, sealed: string): string {
  try {
    return seal.open(crmSealPlace(organizationId), sealed)
  } catch (cause) {
    const message = 'The stored connection can no longer be read. Connect it again on Data Sync.'
    throw new ProviderError('unauthorized', message, { cause })
  }
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

/** The connection row with a service key. It does not end by the clock, so nothing renews it. */
export function keyConnectionOf(
  deps: Pick<Deps, 'seal'>,
  organizationId: number,
  key: { serviceKey: string; portalId: string; scopes: string[] },
  details: object,
  at: Date,
): NewConnection {
  const tokens: StoredTokens = { accessToken: key.serviceKey, refreshToken: null }
  return {
    provider: 'crm',
    accountId: key.portalId,
    isLive: null,
    sealedSecret: deps.seal.seal(crmSealPlace(organizationId), JSON.stringify(tokens)),
    secretHint: maskServiceKey(key.serviceKey),
    scopes: key.scopes,
    details,
    at,
  }
}

/** Only a connection by a service key has a hint: people never see a part of a token. */
export function usesServiceKey(connection: Pick<ProviderConnection, 'secret_hint'>): boolean {
  return connection.secret_hint !== null
}

/** Its kind and region, and its last characters: enough to recognize it. */
function maskServiceKey(key: string): string {
  const prefix = /^pat-[a-z]{2,4}\d{1,2}-/.exec(key)?.[0] ?? ''
  const rest = key.slice(prefix.length)
  return `${prefix}••••${rest.length > 8 ? rest.slice(-4) : ''}`
}
