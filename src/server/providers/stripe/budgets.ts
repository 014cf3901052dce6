import type { Budget } from '../paces.ts'

/** Requests a second, over all and for each endpoint. */
export type RateLimits = { perSecond: number; perEndpointPerSecond: number }

/**
 * Below 80 % of what Stripe takes, which the merchant's own checkout shares: 100 a second in live mode, 25 in test mode,
 * and 25 for each endpoint (docs.stripe.com/rate-limits).
 */
export const liveLimits: RateLimits = { perSecond: 60, perEndpointPerSecond: 18 }
export const testLimits: RateLimits = { perSecond: 18, perEndpointPerSecond: 12 }

const windowsPerSecond = 5

/** A second's requests in short windows: close to even, so that those of two seconds never meet in one of Stripe's. */
export function windowOf(perSecond: number): Budget {
  const requests = Math.max(1, Math.floor(perSecond / windowsPerSecond))
  return { requests, windowMs: (requests * 1_000) / perSecond }
}
