import { Hono } from 'hono'
import { html } from 'hono/html'
import type { SimulatorEnv } from '../caller.ts'
import type { Portal } from '../entities.ts'
import { makeServiceKey } from '../keys/service-keys.ts'
import { refusalPage } from '../oauth/consent-page.ts'
import { isAllowed } from '../oauth/scopes.ts'
import { findPortal } from '../portals.ts'
import type { World } from '../world.ts'
import { type HtmlPage, page } from './layout.ts'

/** The scopes that the picker offers, as far as this simulator has their calls. */
const offered = ['objects', 'schemas'].flatMap((area) =>
  ['contacts', 'companies', 'custom'].flatMap((noun) =>
    ['read', 'write'].map((verb) => `crm.${area}.${noun}.${verb}`),
  ),
)

/** Where a person makes a service key in an account, with the scopes that its plan has. */
export function keyPages(world: World): Hono<SimulatorEnv> {
  const app = new Hono<SimulatorEnv>()
  app.get('/service-keys/:hubId', (c) => {
    const portal = findPortal(world, c.req.param('hubId'))
    return portal === undefined
      ? c.html(refusalPage('There is no such account.'), 404)
      : c.html(formPage(portal))
  })
  app.post('/service-keys/:hubId', async (c) => {
    const portal = findPortal(world, c.req.param('hubId'))
    if (portal === undefined) return c.html(refusalPage('There is no such account.'), 404)
    const { scopes } = await c.req.parseBody({ all: true })
    const chosen = (Array.isArray(scopes) ? scopes : [scopes]).filter((scope) => typeof scope === 'string')
    const allowed = chosen.filter((scope) => offered.includes(scope) && isAllowed(portal, scope))
    const { key } = makeServiceKey(world, portal, 'Service key', allowed)
    return c.html(page('Service key', html`<p>Copy the key now: <code>${key}</code></p>`))
  })
  return app
}

function formPage(portal: Portal): HtmlPage {
  const scopes = offered.filter((scope) => isAllowed(portal, scope))
  return page(
    `Service keys, ${portal.name}`,
    html`<form method="post">
      <fieldset>
        <legend>Scopes of the new key</legend>
        ${scopes.map((scope) => html`<p><label><input type="checkbox" name="scopes" value="${scope}" checked /> <code>${scope}</code></label></p>`)}
      </fieldset>
      <p class="actions"><button type="submit">Create service key</button></p>
    </form>`,
  )
}
