/** Requests a second; null switches the limits off. Stripe's own: 100 live, 25 in test mode, 25 for each endpoint. */
export type RateLimits = { perSecond: number; perEndpointPerSecond: number } | null

/** Well below Stripe's limits, which the merchant's own checkout shares. */
export const liveLimits: RateLimits = { perSecond: 40, perEndpointPerSecond: 15 }
export const testLimits: RateLimits = { perSecond: 18, perEndpointPerSecond: 12 }

export type RateLimiter = {
  /**
   * Milliseconds to wait for the next place of the endpoint, which is taken by asking. After that wait a place of the
   * whole account is asked for, so that one endpoint's queue does not hold the others back.
   */
  reserveEndpoint(account: string, endpoint: string): number
  /** Milliseconds to wait for the account's next place, which is taken by asking. */
  reserveAccount(account: string): number
  /** After a refusal: halves the rate of what was too fast and holds it back for a moment. */
  slowDown(account: string, endpoint: string, reason: string | undefined): void
  /** After an answer: lets a slowed rate recover. */
  recover(account: string, endpoint: string): void
}

const slowestShare = 1 / 16
const recovery = 1.03
const pauseMs = 1_000

type Pace = { nextAt: number; share: number }

/** Paces the requests of each account, over all and by endpoint, evenly, so that no burst meets Stripe's window. */
export function createRateLimiter(limitsOf: (account: string) => RateLimits, now: () => Date): RateLimiter {
  const paces = new Map<string, Pace>()
  const paceOf = (key: string): Pace => {
    const pace = paces.get(key) ?? { nextAt: 0, share: 1 }
    paces.set(key, pace)
    return pace
  }
  const overall = (account: string) => paceOf(account)
  const ofEndpoint = (account: string, endpoint: string) => paceOf(`${account} ${endpoint}`)
  const take = (pace: Pace, perSecond: number): number => {
    const at = now().getTime()
    const due = Math.max(at, pace.nextAt)
    pace.nextAt = due + 1_000 / (perSecond * pace.share)
    return due - at
  }
  return {
    reserveEndpoint(account, endpoint) {
      const limits = limitsOf(account)
      return limits ? take(ofEndpoint(account, endpoint), limits.perEndpointPerSecond) : 0
    },
    reserveAccount(account) {
      const limits = limitsOf(account)
      return limits ? take(overall(account), limits.perSecond) : 0
    },
    slowDown(account, endpoint, reason) {
      const slowed = reason?.startsWith('endpoint') ? ofEndpoint(account, endpoint) : overall(account)
      slowed.share = Math.max(slowestShare, slowed.share / 2)
      slowed.nextAt = Math.max(slowed.nextAt, now().getTime() + pauseMs)
    },
    recover(account, endpoint) {
      for (const pace of [overall(account), ofEndpoint(account, endpoint)])
        pace.share = Math.min(1, pace.share * recovery)
    },
  }
}
