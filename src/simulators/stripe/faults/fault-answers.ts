import { expiredKey, invalidKey, lacksPermission } from '../requests/keys.ts'
import { lockTimeout, tooFast } from '../requests/rate-limit.ts'
import { Refusal } from '../requests/refusal.ts'
import type { WorldChange } from '../world/world-changes.ts'
import {
  cutBody,
  cutText,
  endlessBody,
  type FaultConnection,
  reset,
  slowBody,
  type Wait,
} from './fault-bodies.ts'
import { changeList, readJson, writeField } from './fault-lists.ts'
import type { Fault } from './faults.ts'

/** Answers the request, or the same request with other parameters. */
export type FaultAnswer = (change?: (search: URLSearchParams) => void) => Response

export type Strike = {
  readonly fault: Fault
  readonly answer: FaultAnswer
  readonly authorization: string
  readonly accountId: string
  readonly requestId: string
  readonly connection: FaultConnection | undefined
  /** Aborts when the client gives up. */
  readonly signal: AbortSignal
  readonly wait: Wait
  readonly changeAccount: (change: WorldChange) => void
}

const proxyPage = '<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>'
const noise = Uint8Array.from({ length: 4096 }, (_, index) => (index * 197 + 91) % 256)

/** Applies a fault. Without a connection (in process) a reset is thrown, as `fetch` would throw it. */
export async function answerWithFault(strike: Strike): Promise<Response> {
  const { fault } = strike
  if (fault.kind !== 'drip' && fault.delayMs > 0) await strike.wait(fault.delayMs)
  if (fault.kind === 'reset') return reset(strike.connection)
  if (fault.kind === 'change') {
    if (fault.change) strike.changeAccount(fault.change)
    return strike.answer()
  }
  return marked(refused(strike) ?? (await otherwise(strike)), fault)
}

/** Answers that replace the real one. */
function refused(strike: Strike): Response | undefined {
  const { fault, authorization, accountId, connection } = strike
  const own = (refusal: Refusal) => answerOf(refusal, strike.requestId)
  switch (fault.kind) {
    case 'status':
      return own(unknownError(fault.status, fault.code))
    case 'rate_limit':
      return own(tooFast(fault.reason, fault.code))
    case 'lock_timeout':
      return own(lockTimeout())
    case 'expired_key':
      return own(expiredKey(authorization))
    case 'invalid_key':
      return own(invalidKey(authorization))
    case 'missing_permission':
      return own(lacksPermission(authorization, accountId, fault.permission))
    case 'redirect':
      return new Response(null, { status: fault.status, headers: { location: fault.location } })
    case 'html':
      return new Response(proxyPage, {
        status: fault.status,
        headers: contentType('text/html; charset=utf-8'),
      })
    case 'empty':
      return new Response('', { status: fault.status, headers: contentType('application/json') })
    case 'error_body':
      return Response.json(unknownError(500).body)
    case 'random':
      return new Response(noise, { headers: contentType('application/json') })
    case 'bomb':
      return endlessBody(connection)
    default:
      return undefined
  }
}

/** The real answer, damaged. */
async function otherwise({ fault, answer, connection, signal, wait }: Strike): Promise<Response> {
  switch (fault.kind) {
    case 'truncate':
      return cutBody(answer(), connection)
    case 'cut_json':
      return cutText(answer())
    case 'stall':
      return slowBody(answer(), undefined, signal)
    case 'drip':
      return slowBody(answer(), () => wait(fault.delayMs), signal)
    case 'field':
      return fault.field === undefined ? answer() : writeField(answer(), fault.field)
    case 'wrong_kind':
    case 'empty_page':
    case 'early_end':
      return changeList(await readJson(answer()), fault.kind)
    case 'repeat_page':
      return answer((search) => search.delete('starting_after'))
    case 'long_page':
      return longPage(answer)
    default:
      return answer()
  }
}

/** Two pages in one answer, so that it has more rows than requested. */
async function longPage(answer: FaultAnswer): Promise<Response> {
  const first = await readJson(answer())
  const last = first.rows.at(-1)?.['id']
  if (typeof last !== 'string' || first.body['has_more'] !== true) return Response.json(first.body)
  const second = await readJson(answer((search) => search.set('starting_after', last)))
  return Response.json({ ...second.body, data: [...first.rows, ...second.rows] })
}

function unknownError(status: number, code?: string): Refusal {
  const type = status >= 500 ? 'api_error' : 'invalid_request_error'
  return new Refusal(status, 'An unknown error occurred', { type, code })
}

/** Stripe's own refusals have an id; what stands between us and Stripe gives none. */
function answerOf({ body, status, headers }: Refusal, requestId: string): Response {
  return Response.json(body, { status, headers: { ...headers, 'request-id': requestId } })
}

function marked(response: Response, fault: Fault): Response {
  response.headers.set('x-simulated-fault', fault.kind)
  if (fault.retryAfter !== undefined) response.headers.set('retry-after', fault.retryAfter)
  if (fault.shouldRetry !== undefined) response.headers.set('stripe-should-retry', String(fault.shouldRetry))
  return response
}

function contentType(value: string): Record<string, string> {
  return { 'content-type': value }
}
