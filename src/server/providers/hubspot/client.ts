import type { z } from 'zod'
import type { CrmAccess } from '../crm-directory.ts'
import { type Budget, type RateLimiter, waitForPlace } from '../rate-limits.ts'
import { exchange, type Fetch } from './exchange.ts'
import { HubspotError, unanswered } from './hubspot-error.ts'
import { dailyPauseMs, nextStep } from './retry.ts'

export type HubspotOptions = {
  fetch: Fetch
  apiUrl: string
  /** Where people see HubSpot: consent page and record pages. */
  appUrl: string
  clientId: string
  clientSecret: string
  now: () => Date
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Shared by all processes. */
  paces: RateLimiter
}

/** HubSpot counts search apart from everything else. */
type Lane = 'general' | 'search'

export type HubspotCall<Answer> = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  query?: Record<string, string>
  json?: unknown
  answer: z.ZodType<Answer>
  lane?: Lane
  /** false: the call must not be repeated when its outcome is unknown. */
  isRepeatable?: boolean
}

/** Sends calls with a portal's token, within its limits, and repeats what may be repeated. */
export type HubspotClient = <Answer>(access: CrmAccess, call: HubspotCall<Answer>) => Promise<Answer>

/** Nine tenths of the 110 requests per 10 s that a marketplace app has per account; 3 of 5 searches per second. */
const budgets: Readonly<Record<Lane, Budget>> = {
  general: { requests: 99, windowMs: 10_000 },
  search: { requests: 3, windowMs: 1_000 },
}
/** A good token is refused for some seconds now and then: one that is fresh is tried once more after so long. */
const refusedPauseMs = 8_000
/** HubSpot itself gives up after 100 s; what takes longer than this is asked again. */
const timeoutMs = 60_000

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
    if (!parsed.success) throw unanswered()
    return parsed.data
  }

  return async <Answer>(access: CrmAccess, call: HubspotCall<Answer>): Promise<Answer> => {
    let token = await access.token()
    let refusals = 0
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptCall(access, call, token)
      } catch (error) {
        if (!(error instanceof HubspotError)) throw error
        if (error.status === 401) {
          refusals += 1
          if (refusals > 2) throw error
          if (refusals === 2) await options.sleep(refusedPauseMs, access.signal)
          token = await access.token(refusals === 1 ? token : undefined)
          continue
        }
        const step = nextStep(error, attempt, call.isRepeatable ?? true)
        if (step === undefined) throw withPause(error)
        if (step.holdsLane) await paces.pause(laneOf(access, call.lane), step.waitMs)
        else await options.sleep(step.waitMs, access.signal)
        token = await access.token()
      }
    }
  }
}

/** Tells the caller how long a pause is worth making, where the answer itself does not. */
function withPause(error: HubspotError): HubspotError {
  const isDaily = error.status === 429 && error.answer.policyName === 'DAILY'
  return isDaily && error.retryAfterMs === undefined
    ? new HubspotError(error.kind, error.message, {
        status: error.status,
        answer: error.answer,
        retryAfterMs: dailyPauseMs,
      })
    : error
}
