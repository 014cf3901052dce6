import { Hono } from 'hono'
import type { SimulatorEnv } from '../caller.ts'
import { refusalPage } from '../oauth/consent-page.ts'
import { findPortal } from '../portals.ts'
import { findMergedRecord } from '../records/find.ts'
import type { World } from '../world.ts'
import { objectListPage, overviewPage } from './object-pages.ts'
import { recordPage } from './record-page.ts'

/** The pages for people: portals, lists of records, one record. The paths are HubSpot's. */
export function pageRoutes(world: World): Hono<SimulatorEnv> {
  const app = new Hono<SimulatorEnv>()
  app.get('/', (c) => c.html(overviewPage(world)))
  app.get('/contacts/:hubId/objects/:typeId', (c) => {
    const portal = findPortal(world, c.req.param('hubId'))
    if (portal === undefined) return c.html(refusalPage('There is no such account.'), 404)
    return c.html(objectListPage(world, portal, c.req.param('typeId'), c.req.query('after')))
  })
  app.get('/contacts/:hubId/record/:typeId/:id', (c) => {
    const portal = findPortal(world, c.req.param('hubId'))
    const record = portal && findMergedRecord(world, portal.hubId, c.req.param('typeId'), c.req.param('id'))
    if (portal === undefined || record === undefined) {
      return c.html(refusalPage('There is no such record, or it was deleted.'), 404)
    }
    return c.html(recordPage(world, portal, record))
  })
  return app
}
