import type { Hono } from 'hono'
import type { SimulatorEnv } from '../caller.ts'
import { companyCurrencyOf, ratesOf } from '../currencies/portal-rates.ts'
import type { World } from '../world.ts'
import { uninstall } from './tokens.ts'

/**
 * Details of the connected account, and uninstalling. Sources: account-information guide, app-installs specification.
 */
export function serveAccountRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get('/account-info/2026-09/details', (c) => {
    const { portal } = c.get('caller')
    const isEuropean = portal.dataHostingLocation === 'eu1'
    return c.json({
      portalId: portal.hubId,
      accountType: portal.accountType ?? 'STANDARD',
      timeZone: 'US/Eastern',
      companyCurrency: companyCurrencyOf(portal),
      additionalCurrencies: [...new Set(ratesOf(portal).map(({ from }) => from))],
      utcOffset: '-05:00',
      utcOffsetMilliseconds: -18_000_000,
      uiDomain: isEuropean ? 'app-eu1.hubspot.com' : new URL(world.settings.appUrl).host,
      dataHostingLocation: isEuropean ? 'eu1' : 'na1',
    })
  })
  app.delete('/appinstalls/2026-09/external-install', (c) => {
    uninstall(world, c.get('caller').portal.hubId)
    return c.body(null, 204)
  })
}
