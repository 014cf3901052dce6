import { Hono } from 'hono'
import { invalidAuthentication } from '../authentication.ts'
import { readJsonObject, textAt } from '../body.ts'
import type { SimulatorEnv } from '../caller.ts'
import { findPortal } from '../portals.ts'
import type { World } from '../world.ts'
import { findServiceKey } from './service-keys.ts'

const appId = 700002
const userId = 9001

/**
 * Tells the scopes and the account of a key, which stands in the body. Seen live: keys of the EU region need it in the
 * header too.
 */
export function tokenInfoRoutes(world: World): Hono<SimulatorEnv> {
  const app = new Hono<SimulatorEnv>()
  app.post('/oauth/v2/private-apps/get/access-token-info', async (c) => {
    const named = textAt(await readJsonObject(c), 'tokenKey') ?? ''
    const key = findServiceKey(world, named)
    const portal = key && findPortal(world, key.hubId)
    if (key === undefined || portal === undefined) throw invalidAuthentication()
    const isInHeader = c.req.header('authorization') === `Bearer ${named}`
    if (portal.dataHostingLocation === 'eu1' && !isInHeader) throw invalidAuthentication()
    return c.json({ userId, hubId: portal.hubId, appId, scopes: key.scopes })
  })
  return app
}
