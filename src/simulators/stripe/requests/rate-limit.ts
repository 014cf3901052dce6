import { Refusal } from './refusal.ts'

export type SimulatedRateLimits = { readonly globalPerSecond: number; readonly endpointPerSecond: number }

/** docs.stripe.com/rate-limits: a sandbox or test mode allows 25 requests/s in total and for each endpoint. */
export const testModeLimits: SimulatedRateLimits = { globalPerSecond: 25, endpointPerSecond: 25 }

/** docs.stripe.com/rate-limits: live mode allows 100 requests/s, and 25 for each endpoint. */
export const liveModeLimits: SimulatedRateLimits = { globalPerSecond: 100, endpointPerSecond: 25 }

const windowMs = 1000

/** Which of Stripe's limiters refused, as in the `Stripe-Rate-Limited-Reason` header. */
export type RateLimitReason =
  | 'global-rate'
  | 'global-concurrency'
  | 'endpoint-rate'
  | 'endpoint-concurrency'
  | 'resource-specific'

/** Counts requests in every rolling second, in total and by endpoint. */
export class RateLimiter {
  readonly #limits: SimulatedRateLimits
  readonly #all: number[] = []
  readonly #byEndpoint = new Map<string, number[]>()

  constructor(limits: SimulatedRateLimits) {
    this.#limits = limits
  }

  /** Accepts a request of an endpoint at a time in Unix ms, or refuses it with 429. Refused ones do not count. */
  take(endpoint: string, nowMs: number): void {
    const ofEndpoint = this.#byEndpoint.get(endpoint) ?? []
    this.#byEndpoint.set(endpoint, ofEndpoint)
    forget(this.#all, nowMs)
    forget(ofEndpoint, nowMs)
    if (ofEndpoint.length >= this.#limits.endpointPerSecond) throw tooFast('endpoint-rate')
    if (this.#all.length >= this.#limits.globalPerSecond) throw tooFast('global-rate')
    this.#all.push(nowMs)
    ofEndpoint.push(nowMs)
  }
}

export function tooFast(reason: RateLimitReason | string, code = 'rate_limit'): Refusal {
  return new Refusal(429, rateLimited, {
    code,
    headers: { 'stripe-rate-limited-reason': reason },
  })
}

const rateLimited =
  'Request rate limit exceeded. You can learn more about rate limits here https://stripe.com/docs/rate-limits.'

/** A 429 without a reason: another request has the object locked (docs.stripe.com/rate-limits). */
export function lockTimeout(): Refusal {
  return new Refusal(
    429,
    'This object cannot be accessed right now because another API request or Stripe process is currently accessing it. ' +
      'If you see this error intermittently, retry the request. If you see this error frequently and are making ' +
      'multiple concurrent requests to a single object, make your requests serially or at a lower rate.',
    { code: 'lock_timeout' },
  )
}

function forget(times: number[], nowMs: number): void {
  const first = times.findIndex((time) => time > nowMs - windowMs)
  times.splice(0, first === -1 ? times.length : first)
}
