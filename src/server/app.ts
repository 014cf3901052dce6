import { Hono } from 'hono'
import { api } from '#contract/api.ts'
import { serveAccount } from './api/account.ts'
import { serveConnections } from './api/connections.ts'
import { serveDashboard } from './api/dashboard.ts'
import { serveDiagnostics } from './api/diagnostics.ts'
import { serveEvents } from './api/events.ts'
import { serveImports } from './api/imports.ts'
import { serveMatches } from './api/matches.ts'
import { serveMrr } from './api/mrr.ts'
import { serveService } from './api/service.ts'
import { serveSettings } from './api/settings.ts'
import { serveSetup } from './api/setup.ts'
import { serveSubscriptions } from './api/subscriptions.ts'
import { serveSync } from './api/sync.ts'
import type { Deps } from './deps.ts'
import { answerError, errorAnswer } from './http/answer-error.ts'
import { collapsedPath, methodsOf } from './http/paths.ts'
import { securityHeadersOf } from './http/security-headers.ts'
import { type Connection, type Router, serve } from './http/serve.ts'
import { serveIdentity } from './identity-route.ts'
import { serveOutbox } from './outbox-page.ts'
import { Refusal } from './refusal.ts'
import { serveWebFiles } from './web-files.ts'

export type App = { fetch(request: Request, connection?: Connection): Response | Promise<Response> }

const groups = [
  serveAccount,
  serveConnections,
  serveDashboard,
  serveDiagnostics,
  serveEvents,
  serveImports,
  serveMatches,
  serveMrr,
  serveService,
  serveSettings,
  serveSetup,
  serveSubscriptions,
  serveSync,
]

/** The whole product as one function from request to answer. `webFolder` holds the built web app, if there is one. */
export function createApp(deps: Deps, options: { webFolder?: string } = {}): App {
  const hono = new Hono<{ Bindings: Connection }>({ getPath: (request) => collapsedPath(request.url) })
  const securityHeaders = securityHeadersOf(deps.config.publicUrl)
  const requestIds = new WeakMap<Request, string>()
  hono.use(async (c, next) => {
    const requestId = deps.newId()
    requestIds.set(c.req.raw, requestId)
    await next()
    for (const [name, value] of Object.entries(securityHeaders)) c.res.headers.set(name, value)
    c.res.headers.set('x-request-id', requestId)
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
  })
  hono.onError((error, c) => answerError(deps, error, requestIds.get(c.req.raw) ?? 'unknown'))

  const router: Router = { hono, deps, served: new Set() }
  for (const serveGroup of groups) serveGroup(router)
  serveTheRest(router)
  serveIdentity(hono, deps)
  hono.all('/api/*', (c) => refuseUnknown(c.req.path))
  serveOutbox(hono, deps)
  serveWebFiles(hono, deps.log, options.webFolder)
  return { fetch: (request, connection = {}) => hono.fetch(request, connection) }
}

/** Every call of the contract answers, if only that it cannot yet, and asks for the same rights as it will then. */
function serveTheRest(router: Router): void {
  for (const endpoint of Object.values(api)) {
    if (router.served.has(endpoint)) continue
    serve(router, endpoint, () => {
      throw new Refusal('not_implemented', 'This call is not available yet.')
    })
  }
}

function refuseUnknown(path: string): Response {
  const methods = methodsOf(path)
  if (methods.length === 0) return errorAnswer('not_found', 'There is no such call.')
  const allow = methods.join(', ')
  return errorAnswer('method_not_allowed', `This call is made with ${allow}.`, { allow })
}
