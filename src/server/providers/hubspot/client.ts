import type { z } from 'zod'
import type { CrmAccess } from '../crm-directory.ts'
import { type Budget, type RateLimiter, waitForPlace } from '../rate-limits.ts'
import type { ScopeSplit } from './app/scopes.ts'
import { exchange, type Fetch } from './exchange.ts'
import { type FailedCall, HubspotError, unanswered } from './hubspot-error.ts'
import { dailyPauseMs, nextStep } from './retry.ts'

export type HubspotOptions = {
  fetch: Fetch
  apiUrl: string
  /** The address where people use HubSpot: consent page and record pages. */
  appUrl: string
  /** null: the installation has no app, so that portals connect by service keys only. */
  clientId: string | null
  clientSecret: string | null
  /** What the consent page asks for; must be divided as in the app's file. */
  scopes: ScopeSplit
  now: () => Date
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Shared by all processes. */
  paces: RateLimiter
}

/** HubSpot limits searches separately. */
type Lane = 'general' | 'search'

export type HubspotCall<Answer> = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  query?: Record<string, string>
  json?: unknown
  answer: z.ZodType<Answer>
  lane?: Lane
  /** false: do not repeat the call when its outcome is unknown. */
  isRepeatable?: boolean
}

/** Sends calls with a portal's token, within its rate limits, and repeats calls where that is safe. */
export type HubspotClient = <Answer>(access: CrmAccess, call: HubspotCall<Answer>) => Promise<Answer>

/**
 * Nine tenths of the 110 requests per 10 s that each account allows a marketplace app, and 3 of 5 searches per
 * second.
 */
const budgets: Readonly<Record<Lane, Budget>> = {
  general: { requests: 99, windowMs: 10_000 },
  search: { requests: 3, windowMs: 1_000 },
}
/**
 * HubSpot sometimes refuses a valid token for some seconds, so a fresh token is tried once more after this time.
 */
const refusedPauseMs = 8_000
/** HubSpot itself gives up after 100 s. A call that takes longer than this limit is repeated. */
const timeoutMs = 60_000

/**
 * The function through which every call to HubSpot goes: it keeps to the budget, repeats what may be repeated by
 * HubSpot's error table, and renews a token once. It throws a `HubspotError`.
 */
export function createClient(options: HubspotOptions): HubspotClient {
  const { paces } = options
  const laneOf = (access: CrmAccess, lane: Lane = 'general') => ({
    account: `hubspot ${access.portalId}`,
    endpointGroup: lane,
  })

  async function attemptCall<Answer>(
    access: CrmAccess,
    call: HubspotCall<Answer>,
    token: string,
  ): Promise<Answer> {
    await waitForPlace(paces, laneOf(access, call.lane), budgets[call.lane ?? 'general'], {
      sleep: options.sleep,
      signal: access.signal,
    })
    access.signal?.throwIfAborted()
    const query = call.query ? `?${new URLSearchParams(call.query)}` : ''
    const answer = await exchange(options.fetch, {
      method: call.method,
      url: `${options.apiUrl}${call.path}${query}`,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(call.json !== undefined && { 'content-type': 'application/json' }),
      },
      body: call.json === undefined ? undefined : JSON.stringify(call.json),
      timeoutMs,
      signal: access.signal,
    })
    const parsed = call.answer.safeParse(answer)
    if (!parsed.success) throw unanswered(call)
    return parsed.data
  }

  return async <Answer>(access: CrmAccess, call: HubspotCall<Answer>): Promise<Answer> => {
    let token = await access.token()
    let refusals = 0
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await attemptCall(access, call, token)
        access.onHeard?.(true)
        return answer
      } catch (error) {
        if (!(error instanceof HubspotError)) throw error
        access.onHeard?.(error.isAnswered)
        if (error.status === 401) {
          refusals += 1
          if (refusals > 2) throw error
          if (refusals === 2) await options.sleep(refusedPauseMs, access.signal)
          token = await access.token(refusals === 1 ? token : undefined)
          continue
        }
        const step = nextStep(error, attempt, call.isRepeatable ?? true)
        if (step === undefined) throw withPause(error, call)
        if (step.holdsLane) await paces.pause(laneOf(access, call.lane), step.waitMs)
        else await options.sleep(step.waitMs, access.signal)
        token = await access.token()
      }
    }
  }
}

/** Tells the caller how long to wait when the answer does not say. */
function withPause(error: HubspotError, call: FailedCall): HubspotError {
  const isDaily = error.status === 429 && error.answer.policyName === 'DAILY'
  return isDaily && error.retryAfterMs === undefined
    ? new HubspotError(error.kind, error.message, {
        status: error.status,
        answer: error.answer,
        retryAfterMs: dailyPauseMs,
        asked: call,
      })
    : error
}
