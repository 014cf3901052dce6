import type { Budget } from '../rate-limits.ts'

/** Requests a second, over all and for each endpoint. */
export type RateLimits = { perSecond: number; perEndpointPerSecond: number }

/**
 * Below 80 % of what Stripe takes, which the merchant's own checkout shares: 100 a second in live mode, 25 in test mode,
 * and 25 for each endpoint (docs.stripe.com/rate-limits).
 */
export const liveLimits: RateLimits = { perSecond: 60, perEndpointPerSecond: 18 }
export const testLimits: RateLimits = { perSecond: 18, perEndpointPerSecond: 12 }

/**
 * How much faster than even it may go for a moment, to make up for what it did not use within the second: lists inside of
 * objects are wanted ten at a time.
 */
const catchUp = 3

/** In any second no more than that, and never many at once: of two seconds only a few can meet in one of Stripe's. */
export function budgetOf(perSecond: number): Budget {
  return { requests: perSecond, windowMs: 1_000, gapMs: 1_000 / (perSecond * catchUp) }
}
