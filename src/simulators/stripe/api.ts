import { answerWithFault } from './faults/fault-answers.ts'
import type { FaultConnection, Wait } from './faults/fault-bodies.ts'
import type { FaultBoard } from './faults/faults.ts'
import { readKey, requireAccount, requirePermission } from './requests/keys.ts'
import type { RequestLedger } from './requests/ledger.ts'
import type { StripeAnswers } from './requests/open-answers.ts'
import type { RateLimiter } from './requests/rate-limit.ts'
import { notSimulated, Refusal } from './requests/refusal.ts'
import { findRoute, type Route } from './routes.ts'
import type { SimulatedAccount } from './world/account.ts'
import type { WorldChange } from './world/world-changes.ts'

/** The API version whose shapes worlds use; the default when a request names none. */
export const simulatedApiVersion = '2026-10-28.endive'

export type ApiParts = {
  readonly account: () => SimulatedAccount
  readonly keys: readonly string[]
  readonly openAnswers: StripeAnswers
  readonly limiter: RateLimiter | undefined
  readonly nowMs: () => number
  readonly wait: Wait
  readonly faults: FaultBoard
  readonly requests: RequestLedger
  readonly changeAccount: (change: WorldChange) => void
}

export type ApiAnswer = (request: Request, connection: FaultConnection | undefined) => Promise<Response>

/** The v1 API: records each request, applies the active faults, answers GET and refuses everything else. */
export function createApi(parts: ApiParts): ApiAnswer {
  let requestCount = 0
  return async (request, connection) => {
    const url = new URL(request.url)
    const pathWithQuery = url.pathname + url.search
    const found = findRoute(url.pathname)
    requestCount += 1
    const id = `req_${requestCount.toString(36).padStart(14, '0')}`
    let status = 0
    try {
      const answer = (change?: (search: URLSearchParams) => void) => {
        const search = new URLSearchParams(url.search)
        change?.(search)
        const response = withStripeHeaders(answerOrRefuse(request, url, search, found, parts), request, id)
        if (parts.openAnswers.hasRateHeaders) response.headers.set('x-ratelimit-remaining', '7')
        return response
      }
      const authorization = request.headers.get('authorization') ?? ''
      const fault = request.method === 'GET' ? parts.faults.strike(pathWithQuery, authorization) : undefined
      const { wait, changeAccount } = parts
      const { signal } = request
      const accountId = parts.account().id
      const response =
        fault === undefined
          ? answer()
          : await answerWithFault({
              fault,
              signal,
              answer,
              authorization,
              accountId,
              requestId: id,
              connection,
              wait,
              changeAccount,
            })
      if (fault?.kind !== 'reset') status = response.status
      return response
    } finally {
      const entry = { method: request.method, path: pathWithQuery, status }
      parts.requests.record(entry, found?.route.path ?? 'unknown')
    }
  }
}

type Found = { route: Route; id: string } | undefined

function answerOrRefuse(
  request: Request,
  url: URL,
  search: URLSearchParams,
  found: Found,
  parts: ApiParts,
): Response {
  try {
    if (request.method !== 'GET') throw readOnly(request.method)
    const account = parts.account()
    const accepted = new Set([...parts.keys, ...account.keys])
    const access = readKey(request.headers.get('authorization') ?? undefined, accepted)
    requireAccount(access, request.headers, account.id)
    if (found === undefined) throw unrecognized(request.method, url.pathname)
    parts.limiter?.take(found.route.path, parts.nowMs())
    checkVersion(request.headers.get('stripe-version'))
    const body = found.route.answer({
      account,
      search,
      id: found.id,
      require: (kinds) => requirePermission(access, kinds, account.id, parts.openAnswers),
    })
    return Response.json(body)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return Response.json(error.body, { status: error.status, headers: error.headers })
  }
}

function withStripeHeaders(response: Response, request: Request, id: string): Response {
  response.headers.set('request-id', id)
  response.headers.set('stripe-version', request.headers.get('stripe-version') ?? simulatedApiVersion)
  response.headers.set('cache-control', 'no-cache, no-store')
  return response
}

const knownVersion = /^20\d{2}-[01]\d-[0-3]\d(\.(acacia|basil|clover|dahlia|endive))?$/

/** Worlds have the shapes of a single version; another version would need other shapes. */
function checkVersion(version: string | null): void {
  if (version === null || version === simulatedApiVersion) return
  if (!knownVersion.test(version)) throw new Refusal(400, `Invalid Stripe API version: ${version}`)
  throw notSimulated(`API version ${version}; it speaks ${simulatedApiVersion}`)
}

function readOnly(method: string): Refusal {
  return new Refusal(405, `The simulated Stripe account is read-only; ${method} is refused.`, {
    headers: { allow: 'GET', 'x-simulated-fault': 'read-only' },
  })
}

function unrecognized(method: string, path: string): Refusal {
  return new Refusal(
    404,
    `Unrecognized request URL (${method}: ${path}). If you are trying to list objects, remove the trailing slash. ` +
      'If you are trying to retrieve an object, make sure you passed a valid (non-empty) identifier in your code. ' +
      'Please see https://stripe.com/docs or we can help at https://support.stripe.com/.',
  )
}
