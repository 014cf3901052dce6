import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { SimulatorEnv } from '../caller.ts'
import type { AccessToken, RefreshToken } from '../entities.ts'
import { findPortal } from '../portals.ts'
import type { World } from '../world.ts'
import { accessTokenSeconds, issueAccessToken, issueRefreshToken, revokeRefreshToken } from './tokens.ts'

const userId = 9001
const appId = 700001

type Field = (name: string) => string

/** A refusal in the form of RFC 6749, with HubSpot's `status` and `message` added. */
class OauthRefusal extends Error {
  readonly error: string
  readonly status: string

  constructor(error: string, status: string, description: string) {
    super(description)
    this.error = error
    this.status = status
  }
}

/** Exchange, refresh, introspection and revocation. Sources: OAuth guide and the 2026-09 specification. */
export function tokenRoutes(world: World): Hono<SimulatorEnv> {
  const app = new Hono<SimulatorEnv>()
  app.onError((error, c) => {
    if (!(error instanceof OauthRefusal)) throw error
    const { message, status } = error
    return c.json({ error: error.error, error_description: message, status, message }, 400)
  })
  app.post('/oauth/2026-09/token', async (c) => {
    const field = await readForm(c, world)
    const refresh =
      field('grant_type') === 'refresh_token' ? refreshed(world, field) : exchanged(world, field)
    return c.json(tokenAnswer(issueAccessToken(world, refresh), refresh))
  })
  app.post('/oauth/2026-09/token/introspect', async (c) => {
    const field = await readForm(c, world)
    const token = field('token') || field('access_token') || field('refresh_token')
    return c.json(introspection(world, token))
  })
  app.post('/oauth/2026-09/token/revoke', async (c) => {
    const field = await readForm(c, world)
    const refresh = world.refreshTokens.get(field('token') || field('refresh_token'))
    if (refresh !== undefined) revokeRefreshToken(world, refresh)
    return c.body(null, 200)
  })
  return app
}

/** The form fields of a call that names the right app; the query is ignored. */
async function readForm(c: Context<SimulatorEnv>, world: World): Promise<Field> {
  const form = new URLSearchParams(await c.req.text())
  const field: Field = (name) => form.get(name) ?? ''
  if (field('client_id') !== world.settings.clientId) {
    throw new OauthRefusal('invalid_client', 'BAD_CLIENT_ID', 'missing or unknown client id')
  }
  if (field('client_secret') !== world.settings.clientSecret) {
    throw new OauthRefusal('invalid_client', 'BAD_CLIENT_SECRET', 'missing or invalid client secret')
  }
  return field
}

function exchanged(world: World, field: Field): RefreshToken {
  if (field('grant_type') !== 'authorization_code') {
    throw new OauthRefusal('unsupported_grant_type', 'BAD_GRANT_TYPE', 'missing or unknown grant type')
  }
  const code = world.codes.get(field('code'))
  if (code === undefined || code.used) {
    throw new OauthRefusal('invalid_grant', 'BAD_AUTH_CODE', 'missing or unknown auth code')
  }
  if (code.expiresAt <= world.now()) {
    throw new OauthRefusal('invalid_grant', 'EXPIRED_AUTH_CODE', 'auth code is expired')
  }
  if (code.redirectUri !== field('redirect_uri')) {
    throw new OauthRefusal(
      'invalid_grant',
      'MISMATCH_REDIRECT_URI_AUTH_CODE',
      'redirect uri does not match the auth code',
    )
  }
  const challenge = createHash('sha256').update(field('code_verifier')).digest('base64url')
  if (code.codeChallenge !== null && code.codeChallenge !== challenge) {
    throw new OauthRefusal('invalid_grant', 'BAD_CODE_VERIFIER', 'code verifier does not match the challenge')
  }
  world.codes.put(code.code, { ...code, used: true })
  return issueRefreshToken(world, code.hubId, code.scopes)
}

function refreshed(world: World, field: Field): RefreshToken {
  const refresh = world.refreshTokens.get(field('refresh_token'))
  if (refresh === undefined || refresh.revoked) {
    throw new OauthRefusal('invalid_grant', 'BAD_REFRESH_TOKEN', 'missing or invalid refresh token')
  }
  if (findPortal(world, refresh.hubId)?.rotateRefreshTokens !== true) return refresh
  revokeRefreshToken(world, refresh)
  return issueRefreshToken(world, refresh.hubId, refresh.scopes)
}

function tokenAnswer(access: AccessToken, refresh: RefreshToken) {
  return {
    token_type: 'bearer',
    access_token: access.token,
    refresh_token: refresh.token,
    expires_in: accessTokenSeconds,
    hub_id: access.hubId,
    scopes: access.scopes,
    user_id: userId,
  }
}

/** Details of a token; an unknown or expired one is `active: false` with status 200. */
function introspection(world: World, token: string) {
  const access = world.accessTokens.get(token)
  const known = access ?? world.refreshTokens.get(token)
  const portal = known === undefined ? undefined : findPortal(world, known.hubId)
  const isExpired = access !== undefined && access.expiresAt <= world.now()
  if (known === undefined || portal === undefined || known.revoked || isExpired) return { active: false }
  return {
    active: true,
    token_type: access === undefined ? 'refresh_token' : 'access_token',
    client_id: world.settings.clientId,
    hub_id: portal.hubId,
    hub_domain: portal.domain,
    user_id: userId,
    user: `admin@${portal.domain}`,
    app_id: appId,
    scopes: known.scopes,
    ...(access === undefined ? {} : { expires_in: Math.floor((access.expiresAt - world.now()) / 1_000) }),
  }
}
