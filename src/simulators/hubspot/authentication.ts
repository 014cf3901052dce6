import type { Context, Next } from 'hono'
import type { SimulatorEnv } from './caller.ts'
import type { AccessToken } from './entities.ts'
import { HubspotError } from './errors.ts'
import { findServiceKey } from './keys/service-keys.ts'
import { findPortal } from './portals.ts'
import type { World } from './world.ts'

const minuteMs = 60_000

/** Accepts only calls with a valid access token or service key, and adds the caller. */
export function authenticate(world: World) {
  return async (c: Context<SimulatorEnv>, next: Next): Promise<void> => {
    const token = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
    if (isPersonalAccessKey(token)) throw expiredAuthentication(0, world.now())
    const key = findServiceKey(world, token)
    const grant = key ?? findGrant(world, token)
    const portal = findPortal(world, grant.hubId)
    if (portal === undefined) throw invalidAuthentication()
    c.set('caller', { portal, scopes: new Set(grant.scopes), isKey: key !== undefined })
    await next()
  }
}

function findGrant(world: World, token: string): AccessToken {
  const known = world.accessTokens.get(token)
  if (known === undefined || known.revoked) throw invalidAuthentication()
  if (known.expiresAt <= world.now()) throw expiredAuthentication(known.expiresAt, world.now())
  return known
}

/** A key of HubSpot's command line opens no API; HubSpot says that it ended in 1970. */
function isPersonalAccessKey(token: string): boolean {
  return /^Ci[\w+/=-]{60,}$/.test(token)
}

export function invalidAuthentication(): HubspotError {
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
