import type { Limit, RateLimiter } from '#server/providers/rate-limits.ts'
import { createRateLimits } from '#server/store/connections/rate-limits.ts'
import type { Database } from '#server/store/postgres/database.ts'

let benches = 0

/** Rate limits that no other bench shares: each bench has its own clock, but all use the same account. */
export function ownPaces(database: Database, now: () => Date): RateLimiter {
  const paces = createRateLimits(database, now)
  const bench = ++benches
  const own = (lane: Limit) => ({ ...lane, account: `bench ${bench} ${lane.account}` })
  return {
    take: (lane, budget) => paces.take(own(lane), budget),
    pause: (lane, pauseMs) => paces.pause(own(lane), pauseMs),
    slowDown: (lane, pauseMs) => paces.slowDown(own(lane), pauseMs),
  }
}
