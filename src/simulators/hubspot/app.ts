import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { serveAssociationBatches } from './associations/batch-routes.ts'
import { serveAssociationReads } from './associations/read-routes.ts'
import { authenticate } from './authentication.ts'
import type { SimulatorEnv } from './caller.ts'
import { adminRoutes } from './control/admin-routes.ts'
import { controlRoutes } from './control/routes.ts'
import { serveCurrencies } from './currencies/routes.ts'
import { HubspotError } from './errors.ts'
import { faultRoutes } from './faults/routes.ts'
import type { FaultRules } from './faults/rules.ts'
import { tokenInfoRoutes } from './keys/token-info.ts'
import { serveLimits } from './limits.ts'
import { serveAccountRoutes } from './oauth/account-routes.ts'
import { consentRoutes } from './oauth/authorize.ts'
import { tokenRoutes } from './oauth/token-routes.ts'
import { keyPages } from './pages/key-pages.ts'
import { pageRoutes } from './pages/routes.ts'
import { servePropertyRoutes } from './properties/routes.ts'
import { limitRate } from './rate-limit.ts'
import { serveRecordBatches } from './records/batch-routes.ts'
import { serveRecordRoutes } from './records/routes.ts'
import type { RequestLedger } from './requests.ts'
import { serveSchemaRoutes } from './schemas/routes.ts'
import { serveSearch } from './search/routes.ts'
import type { World } from './world.ts'

/** All paths of the simulated HubSpot. The changes of a request are in the journal before its answer is sent. */
export function createApp(world: World, faults: FaultRules, requests: RequestLedger): Hono<SimulatorEnv> {
  const app = new Hono<SimulatorEnv>()
  let errors = 0
  const nextCorrelationId = () => {
    errors += 1
    return `00000000-0000-4000-8000-${errors.toString(16).padStart(12, '0')}`
  }
  app.use('*', async (_c, next) => {
    try {
      await next()
    } finally {
      world.commit()
    }
  })
  app.onError((error, c) => {
    if (!(error instanceof HubspotError)) throw error
    if (error.fault !== undefined) c.header('x-simulated-fault', error.fault)
    const body = { status: 'error', ...error.body, correlationId: nextCorrelationId() }
    return c.json(body, answerStatus(error.status))
  })
  app.notFound((c) =>
    c.json({ status: 'error', message: 'resource not found', correlationId: nextCorrelationId() }, 404),
  )
  app.route('/', faultRoutes(faults, requests))
  app.route('/', controlRoutes(world))
  app.route('/', adminRoutes(world))
  app.route('/', consentRoutes(world))
  app.route('/', tokenRoutes(world))
  app.route('/', tokenInfoRoutes(world))
  app.route('/', pageRoutes(world))
  app.route('/', keyPages(world))
  app.route('/', apiRoutes(world))
  return app
}

/** The calls that need a bearer token. */
function apiRoutes(world: World): Hono<SimulatorEnv> {
  const api = new Hono<SimulatorEnv>()
  for (const area of [
    '/crm/*',
    '/crm-object-schemas/*',
    '/account-info/*',
    '/appinstalls/*',
    '/settings/currencies/*',
  ]) {
    api.use(area, authenticate(world), limitRate(world))
  }
  serveAccountRoutes(api, world)
  serveCurrencies(api)
  serveLimits(api, world)
  serveSchemaRoutes(api, world)
  servePropertyRoutes(api, world)
  serveSearch(api, world)
  serveRecordBatches(api, world)
  serveAssociationReads(api, world)
  serveAssociationBatches(api, world)
  serveRecordRoutes(api, world)
  return api
}

const errorStatuses: readonly ContentfulStatusCode[] = [400, 401, 403, 404, 409, 429]

function answerStatus(status: number): ContentfulStatusCode {
  return errorStatuses.find((known) => known === status) ?? 500
}
