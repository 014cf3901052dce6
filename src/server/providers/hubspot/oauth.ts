import type { CrmPort, CrmTokens } from '../crm.ts'
import { ProviderError } from '../provider-error.ts'
import { accountAnswer, type ErrorAnswer, introspectionAnswer, tokenAnswer } from './answers.ts'
import type { HubspotClient, HubspotOptions } from './client.ts'
import { exchange } from './exchange.ts'
import { HubspotError, unanswered } from './hubspot-error.ts'
import { paths } from './version.ts'

/** Short enough for a transaction that locks the connection's row. */
const tokenTimeoutMs = 6_000

type OauthCalls = Pick<
  CrmPort,
  | 'hasApp'
  | 'authorizeUrl'
  | 'exchangeCode'
  | 'refreshTokens'
  | 'revokeTokens'
  | 'getAccount'
  | 'findPortalDomain'
>

/** Consent, tokens and the connected account. Secrets travel only in form bodies, never in addresses. */
export function createOauth(options: HubspotOptions, call: HubspotClient): OauthCalls {
  const { clientId, clientSecret } = options
  const secrets = { client_id: clientId ?? '', client_secret: clientSecret ?? '' }

  const post = (path: string, form: Record<string, string>) =>
    exchange(options.fetch, {
      method: 'POST',
      url: `${options.apiUrl}${path}`,
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...form, ...secrets }).toString(),
      timeoutMs: tokenTimeoutMs,
    })

  const getTokens = async (form: Record<string, string>): Promise<CrmTokens> => {
    const parsed = tokenAnswer.safeParse(await post(paths.token, form).catch(nameRefusedApp))
    if (!parsed.success) throw unanswered()
    return {
      accessToken: parsed.data.access_token,
      refreshToken: parsed.data.refresh_token,
      expiresInSeconds: parsed.data.expires_in,
      portalId: parsed.data.hub_id,
      scopes: parsed.data.scopes ?? [],
    }
  }

  return {
    hasApp: clientId !== null,
    authorizeUrl({ redirectUri, state }) {
      if (clientId === null) throw new TypeError('there is no app to authorize')
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: options.scopes.required.join(' '),
        optional_scope: options.scopes.optional.join(' '),
        state,
      })
      return `${options.appUrl}/oauth/authorize?${query.toString().replaceAll('+', '%20')}`
    },
    exchangeCode: ({ code, redirectUri }) =>
      getTokens({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
    async refreshTokens(refreshToken) {
      try {
        return await getTokens({ grant_type: 'refresh_token', refresh_token: refreshToken })
      } catch (error) {
        if (isDeadGrant(error)) {
          throw new ProviderError('unauthorized', 'HubSpot no longer accepts this connection.', {
            request: error.request,
          })
        }
        if (error instanceof HubspotError && error.kind === 'unauthorized') throw unanswered(undefined, error)
        throw error
      }
    },
    async revokeTokens(refreshToken) {
      await post(paths.revoke, { token: refreshToken, token_type_hint: 'refresh_token' })
    },
    async getAccount(access) {
      const account = await call(access, { method: 'GET', path: paths.account, answer: accountAnswer })
      return {
        portalId: account.portalId,
        uiDomain: account.uiDomain ?? null,
        timeZone: account.timeZone ?? null,
        currency: account.companyCurrency?.toLowerCase() ?? null,
        accountType: account.accountType ?? null,
      }
    },
    async findPortalDomain(access) {
      const form = { token: await access.token(), token_type_hint: 'access_token' }
      const parsed = introspectionAnswer.safeParse(await post(paths.introspect, form))
      return (parsed.success && parsed.data.hub_domain) || null
    },
  }
}

/**
 * Where HubSpot refuses the app, throws an error that names the settings to correct. It may pass, so no connection ends by it.
 * Throws any other error unchanged.
 */
function nameRefusedApp(error: unknown): never {
  if (!(error instanceof HubspotError) || !isRefusedApp(error.answer)) throw error
  const { status, answer } = error
  const message =
    "HubSpot does not accept Tributary's own app. Whoever runs Tributary has to correct HUBSPOT_CLIENT_ID and HUBSPOT_CLIENT_SECRET."
  throw new HubspotError('unavailable', message, {
    status,
    answer,
    asked: { method: 'POST', path: paths.token },
  })
}

/** In the words of OAuth (RFC 6749, section 5.2), or of HubSpot. */
function isRefusedApp({ error, status }: ErrorAnswer): boolean {
  return error === 'invalid_client' || status === 'BAD_CLIENT_ID' || status === 'BAD_CLIENT_SECRET'
}

/** Only HubSpot's own statement that the grant has ended counts; every other failure may be temporary. */
function isDeadGrant(error: unknown): error is HubspotError {
  if (!(error instanceof HubspotError) || error.kind === 'unavailable') return false
  const { answer } = error
  return (
    answer.error === 'invalid_grant' ||
    answer.status === 'BAD_REFRESH_TOKEN' ||
    answer.status === 'BAD_REFRESH_TOKEN_V2'
  )
}
