import { setImmediate } from 'node:timers/promises'
import { Hono } from 'hono'
import { routePath } from 'hono/route'
import { serveAccount } from './api/account/account.ts'
import { serveAlerts } from './api/account/alerts.ts'
import { serveSessions } from './api/account/sessions.ts'
import { serveConnections } from './api/connections/connections.ts'
import { serveWebhooks } from './api/connections/webhooks.ts'
import { serveCustomerCsv } from './api/customers/customer-csv.ts'
import { serveCustomers } from './api/customers/customers.ts'
import { serveErasures } from './api/erasures/erasures.ts'
import { serveAttention } from './api/figures/attention.ts'
import { serveDashboard } from './api/figures/dashboard.ts'
import { serveFigureCsv } from './api/figures/figure-csv.ts'
import { serveMovements } from './api/figures/movements.ts'
import { serveMrr } from './api/figures/mrr.ts'
import { serveMrrHistory } from './api/figures/mrr-history.ts'
import { serveRetention } from './api/figures/retention.ts'
import { serveSegments } from './api/figures/segments.ts'
import { serveSyncHealth } from './api/figures/sync-health.ts'
import { serveEventCsv } from './api/lists/event-csv.ts'
import { serveEvents } from './api/lists/events.ts'
import { serveFilterOptions } from './api/lists/filter-options.ts'
import { serveListSums } from './api/lists/list-sums.ts'
import { serveListViews } from './api/lists/list-views.ts'
import { serveSearch } from './api/lists/search.ts'
import { serveSubscriptionCsv } from './api/lists/subscription-csv.ts'
import { serveSubscriptions } from './api/lists/subscriptions.ts'
import { serveMatches } from './api/matches/matches.ts'
import { serveDiagnostics } from './api/operator/diagnostics.ts'
import { serveAudit } from './api/organization/audit.ts'
import { serveDeletion } from './api/organization/deletion.ts'
import { serveOrganization } from './api/organization/organization.ts'
import { serveRecounts } from './api/recounts/recounts.ts'
import { serveImports } from './api/runs/imports.ts'
import { serveSync } from './api/runs/sync.ts'
import { serveSyncState } from './api/runs/sync-state.ts'
import { serveService } from './api/service.ts'
import { serveReporting } from './api/setup/reporting.ts'
import { serveSettings } from './api/setup/settings.ts'
import { serveSetup } from './api/setup/setup.ts'
import type { ServerDeps } from './deps.ts'
import { answerError, errorAnswer } from './http/answer-error.ts'
import {
  type CallLimit,
  createCallLimit,
  createDeliveryLimit,
  createStrangerLimit,
  type DeliveryLimit,
} from './http/call-limit.ts'
import { createDoor } from './http/door.ts'
import { serveHealth } from './http/health-routes.ts'
import { serveIdentity } from './http/identity-route.ts'
import { serveOutbox } from './http/outbox-page.ts'
import { collapsedPath, methodsOf } from './http/paths.ts'
import { securityHeadersOf } from './http/security-headers.ts'
import type { HttpConnection, Router } from './http/serve.ts'
import { createBrowserTurns, createDearTurns } from './http/turns.ts'
import { serveWebFiles } from './http/web-files.ts'
import type { Metrics } from './metrics.ts'
import { type InSpan, noTraces } from './traces.ts'

export type App = {
  fetch(request: Request, connection?: HttpConnection): Response | Promise<Response>
  /** Every route as 'GET /api/events/:id', in the order in which they are matched. */
  readonly routes: readonly string[]
}

const groups = [
  serveAccount,
  serveAlerts,
  serveAudit,
  serveConnections,
  serveAttention,
  serveCustomerCsv,
  serveCustomers,
  serveDashboard,
  serveDeletion,
  serveDiagnostics,
  serveErasures,
  serveEventCsv,
  serveEvents,
  serveFigureCsv,
  serveFilterOptions,
  serveListSums,
  serveListViews,
  serveImports,
  serveMatches,
  serveMovements,
  serveRetention,
  serveSegments,
  serveMrr,
  serveMrrHistory,
  serveOrganization,
  serveRecounts,
  serveSearch,
  serveService,
  serveSessions,
  serveReporting,
  serveSettings,
  serveSetup,
  serveSubscriptionCsv,
  serveSubscriptions,
  serveSync,
  serveSyncHealth,
  serveSyncState,
  serveWebhooks,
]

export type AppOptions = {
  /** The folder of the built web app, if there is one. */
  webFolder?: string
  metrics?: Metrics
  /** Does each request in a span. */
  inSpan?: InSpan
  /** Replaces the product's own limit on the calls of signed-in people. */
  limitCalls?: CallLimit
  /** Replaces the product's own limit on deliveries of providers. */
  limitDeliveries?: DeliveryLimit
  /** Whether the process was asked to stop; a stopping process should get no new requests. */
  isStopping?: () => boolean
}

/** The whole product as one function from request to answer. */
export function createApp(deps: ServerDeps, options: AppOptions = {}): App {
  const hono = new Hono<{ Bindings: HttpConnection }>({ getPath: (request) => collapsedPath(request.url) })
  const { inSpan = noTraces.inSpan } = options
  const securityHeaders = securityHeadersOf(deps.config)
  const requestIds = new WeakMap<Request, string>()
  hono.use(async (c, next) => {
    const requestId = deps.newId()
    const begunAt = performance.now()
    requestIds.set(c.req.raw, requestId)
    const { method } = c.req
    await inSpan(
      { name: method, role: 'server', attributes: { 'http.request.method': method } },
      async (open) => {
        await next()
        const route = routePath(c)
        open.rename(`${method} ${route}`)
        open.note({ 'http.route': route, 'http.response.status_code': c.res.status })
        if (c.res.status >= 500) open.note({ 'error.type': String(c.res.status) })
      },
    )
    for (const [name, value] of Object.entries(securityHeaders)) c.res.headers.set(name, value)
    c.res.headers.set('x-request-id', requestId)
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
    const seconds = (performance.now() - begunAt) / 1_000
    const answered = { method: c.req.method, route: routePath(c), status: c.res.status, seconds }
    options.metrics?.observeRequest(answered)
    deps.log[c.req.method === 'GET' && c.res.status < 400 ? 'debug' : 'info'](
      { requestId, ...answered },
      'answered',
    )
  })
  const takeBrowserTurn = createBrowserTurns()
  hono.use(async (c, next) => {
    // By the session alone: a caller can change every other cookie with each call.
    const cookie = deps.identity.sessionCookie(c.req.raw.headers)
    if (cookie === undefined) return next()
    // Between two calls of one browser the event loop gets to the calls of others.
    await takeBrowserTurn(cookie, () => setImmediate().then(next), c.req.raw.signal)
  })
  hono.onError((error, c) => answerError(deps, error, requestIds.get(c.req.raw) ?? 'unknown'))

  serveHealth(hono, deps, options.isStopping ?? (() => false))
  const limitCalls = options.limitCalls ?? createCallLimit(() => performance.now())
  const limitStrangers = createStrangerLimit(() => performance.now())
  const limitDeliveries = options.limitDeliveries ?? createDeliveryLimit(() => performance.now())
  const enter = createDoor(deps.identity, limitCalls)
  const takeDearTurn = createDearTurns()
  const router: Router = { hono, deps, enter, limitStrangers, limitDeliveries, takeDearTurn }
  for (const serveGroup of groups) serveGroup(router)
  serveIdentity(router)
  hono.all('/api/*', (c) => refuseUnknown(c.req.path))
  serveOutbox(hono, deps)
  serveWebFiles(hono, deps.log, options.webFolder)
  return {
    fetch: (request, connection = {}) => hono.fetch(request, connection),
    routes: hono.routes.map(({ method, path }) => `${method} ${path}`),
  }
}

function refuseUnknown(path: string): Response {
  const methods = methodsOf(path)
  if (methods.length === 0) return errorAnswer('not_found', 'There is no such call. Check its address.')
  const allow = methods.join(', ')
  return errorAnswer('method_not_allowed', `This call is made with ${allow}.`, { allow })
}
