import type { Hono } from 'hono'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ServerDeps } from '../deps.ts'
import type { Tenant } from '../store/postgres/database.ts'
import { withAudit } from './audited.ts'
import type { DeliveryLimit, StrangerLimit } from './call-limit.ts'
import { type Context, openContext } from './context.ts'
import type { Door } from './door.ts'
import { parseInput, readQuery } from './parse-input.ts'
import { deliveryMaxBytes, readBody, readJson } from './read-body.ts'
import { requireSameOrigin } from './same-origin.ts'
import type { Turns } from './turns.ts'

/** What the HTTP server knows about the connection. */
export type HttpConnection = { incoming?: { socket?: { remoteAddress?: string | undefined } } }
export type Routes = Hono<{ Bindings: HttpConnection }>

/** Collects the routes while the app is built. */
export type Router = {
  hono: Routes
  deps: ServerDeps
  enter: Door
  limitStrangers: StrangerLimit
  limitDeliveries: DeliveryLimit
  takeDearTurn: Turns
}

export type Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  params: z.output<P>
  query: z.output<Q>
  body: z.output<B>
}

/** Reads the state that a call changes. If it is the same after the call, the activity log gets no line. */
type Standing<P extends z.ZodType> = (
  tenant: Tenant,
  context: Context,
  params: z.output<P>,
) => Promise<unknown>

/** Says what the line of the activity log is about, with ids and no names. It is asked before the call. */
type Subject<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = (
  input: Input<P, Q, B>,
  tenant: Tenant,
) => string | null | Promise<string | null>

type Answer<R extends z.ZodType> = z.input<R> | Response

/**
 * Registers a route: session, access, origin, limits, parsed input, call, checked answer. Errors are thrown and
 * answered in one place.
 */
export function serve<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  router: Router,
  endpoint: Endpoint<P, Q, B, R>,
  handler: (context: Context, input: Input<P, Q, B>) => Answer<R> | Promise<Answer<R>>,
  standing?: Standing<P>,
  subjectOf?: Subject<P, Q, B>,
): void {
  const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
  const isDear = hasSearch(endpoint)
  router.hono.on(endpoint.method, path, async (c) => {
    const request = c.req.raw
    const remoteAddress = c.env.incoming?.socket?.remoteAddress
    const context = await openContext(router, endpoint.access, request, remoteAddress)
    const isChange = endpoint.method !== 'GET'
    if (isChange) requireSameOrigin(request.headers, router.deps.config.publicUrl)
    const input = {
      params: parseInput(endpoint.params, c.req.param()),
      query: parseInput(endpoint.query, readQuery(request.url)),
      body: parseInput(endpoint.body, isChange ? await bodyOf(endpoint.reads, request) : undefined),
    }
    const line = {
      ...(standing && { standing: (tenant: Tenant) => standing(tenant, context, input.params) }),
      ...(subjectOf && { subject: (tenant: Tenant) => subjectOf(input, tenant) }),
    }
    const make = async () => withAudit(context, endpoint, () => handler(context, input), line)
    const answer = isDear
      ? await router.takeDearTurn(context.session.user.id, make, request.signal)
      : await make()
    const response = answer instanceof Response ? answer : Response.json(parseOut(endpoint, answer))
    for (const cookie of context.cookies) response.headers.append('set-cookie', cookie)
    return response
  })
}

/** A search may scan all rows; no other read costs the database as much. */
function hasSearch({ query }: Pick<Endpoint, 'query'>): boolean {
  return query instanceof z.ZodObject && 'search' in query.shape
}

async function bodyOf(form: Endpoint['reads'], request: Request): Promise<unknown> {
  return form === 'bytes' ? () => readBody(request, deliveryMaxBytes) : readJson(request)
}

/** An answer that breaks our own contract is our fault. The log names the field, never the value. */
function parseOut<R extends z.ZodType>(
  endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType, R>,
  answer: z.input<R>,
): z.output<R> {
  const parsed = endpoint.response.safeParse(answer)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`)
  throw new Error(
    `${endpoint.method} ${endpoint.path} answered outside its contract (${fields.slice(0, 5).join(', ')})`,
  )
}
