import type { Budget } from '../rate-limits.ts'

/** Requests per second, in total and for each endpoint. */
export type RateLimits = { perSecond: number; perEndpointPerSecond: number }

/**
 * Below 80 % of Stripe's limits, because the merchant's own checkout shares them: 100 a second in live mode, 25 in
 * test mode, and 25 per endpoint (docs.stripe.com/rate-limits).
 */
export const liveLimits: RateLimits = { perSecond: 60, perEndpointPerSecond: 18 }
export const testLimits: RateLimits = { perSecond: 18, perEndpointPerSecond: 12 }

/**
 * How far requests may run ahead of an even rate, to use places that the same second left unused. Nested lists are
 * requested ten at a time.
 */
const catchUp = 3

/**
 * At most this many in any second and only a few at once, so that few requests of two seconds fall into one second
 * of Stripe's count.
 */
export function budgetOf(perSecond: number): Budget {
  return { requests: perSecond, windowMs: 1_000, gapMs: 1_000 / (perSecond * catchUp) }
}
