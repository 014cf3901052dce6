import type { Context, Next } from 'hono'
import type { SimulatorEnv } from './caller.ts'
import { HubspotError } from './errors.ts'
import { findPortal } from './portals.ts'
import type { World } from './world.ts'

const minuteMs = 60_000

/** Accepts only calls with a valid access token, and adds their app and portal. */
export function authenticate(world: World) {
  return async (c: Context<SimulatorEnv>, next: Next): Promise<void> => {
    const token = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    const known = token === undefined ? undefined : world.accessTokens.get(token)
    const portal = known === undefined ? undefined : findPortal(world, known.hubId)
    if (known === undefined || portal === undefined || known.revoked) throw invalidAuthentication()
    if (known.expiresAt <= world.now()) throw expiredAuthentication(known.expiresAt, world.now())
    c.set('caller', { portal, scopes: new Set(known.scopes) })
    await next()
  }
}

function invalidAuthentication(): HubspotError {
  return new HubspotError(401, {
    message:
      'Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview',
    category: 'INVALID_AUTHENTICATION',
  })
}

function expiredAuthentication(expiresAt: number, now: number): HubspotError {
  const minutes = Math.floor((now - expiresAt) / minuteMs)
  return new HubspotError(401, {
    message: `The OAuth token used to make this call expired ${minutes} minute(s) ago.`,
    category: 'EXPIRED_AUTHENTICATION',
    context: { 'expire time': [new Date(expiresAt).toISOString()] },
  })
}
