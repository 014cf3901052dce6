/** Two budgets per portal: HubSpot counts search apart from everything else. */
export type Lane = 'general' | 'search'

export type RateLimiter = {
  /** Milliseconds to wait before the next request of the portal may go out; the place is taken by asking. */
  reserve(portalId: string, lane: Lane): number
  /** Lets nothing of the portal's lane out for a while, after a refusal. */
  pause(portalId: string, lane: Lane, pauseMs: number): void
}

export type Budget = { requests: number; windowMs: number }

/**
 * A sliding window for each portal and lane: never more than the budget in any window of its length. A caller over
 * budget is given a place in the future, so waiting callers go out one by one.
 */
export function createRateLimiter(budgets: Record<Lane, Budget>, now: () => Date): RateLimiter {
  const windows = new Map<string, { sentAt: number[]; pausedUntil: number }>()
  const windowOf = (portalId: string, lane: Lane) => {
    const key = `${lane}/${portalId}`
    const window = windows.get(key) ?? { sentAt: [], pausedUntil: 0 }
    windows.set(key, window)
    return window
  }
  return {
    reserve(portalId, lane) {
      const { requests, windowMs } = budgets[lane]
      const window = windowOf(portalId, lane)
      const at = now().getTime()
      window.sentAt = window.sentAt.slice(-requests)
      const oldest = window.sentAt.length < requests ? undefined : window.sentAt[0]
      const previous = window.sentAt.at(-1) ?? 0
      const due = Math.max(at, previous, window.pausedUntil, oldest === undefined ? 0 : oldest + windowMs)
      window.sentAt.push(due)
      return due - at
    },
    pause(portalId, lane, pauseMs) {
      const window = windowOf(portalId, lane)
      window.pausedUntil = Math.max(window.pausedUntil, now().getTime() + pauseMs)
    },
  }
}
