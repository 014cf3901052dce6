import type { Hono } from 'hono'
import { requireScope, type SimulatorEnv } from './caller.ts'
import { listSchemas } from './object-types.ts'
import type { World } from './world.ts'

/** How many custom object types the plan allows and how many are used. Source: limits tracking specification. */
export function serveCustomObjectLimit(app: Hono<SimulatorEnv>, world: World): void {
  app.get('/crm/limits/2026-09/custom-object-types', (c) => {
    const { portal } = c.get('caller')
    requireScope(c.get('caller'), 'crm.objects.custom.read', 'crm.schemas.custom.read')
    const limit = portal.tier === 'enterprise' ? portal.customObjectLimit : 0
    const usage = listSchemas(world, portal.hubId).filter((schema) => !schema.archived).length
    return c.json({ limit, usage, percentage: limit === 0 ? 100 : (usage / limit) * 100 })
  })
}
