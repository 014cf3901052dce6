/** How many requests may start in any window of this length, and the minimum time between two of them. */
export type Budget = { requests: number; windowMs: number; gapMs?: number }

/** The budget of one account at a provider. */
export type Limit = { account: string; endpointGroup: string }

/** Limits the requests of all processes together. A refusal that one process meets slows all of them. */
export type RateLimiter = {
  /**
   * Takes the next place, which may be used after the wait. A place too far in the future is not taken, because a
   * process that dies would block it; ask again after the wait.
   */
  take(limit: Limit, budget: Budget): Promise<{ waitMs: number; isTaken: boolean }>
  /** Stops all requests for a while after a refusal. */
  pause(limit: Limit, pauseMs: number): Promise<void>
  /** Pauses and then halves the rate. Each used place raises the rate again. */
  slowDown(limit: Limit, pauseMs: number): Promise<void>
}

/** Waits until the limit has a place, and takes it. */
export async function waitForPlace(
  limiter: RateLimiter,
  limit: Limit,
  budget: Budget,
  {
    sleep,
    signal,
  }: { sleep: (ms: number, signal?: AbortSignal) => Promise<void>; signal?: AbortSignal | undefined },
): Promise<void> {
  for (;;) {
    const { waitMs, isTaken } = await limiter.take(limit, budget)
    if (waitMs > 0) await sleep(waitMs, signal)
    signal?.throwIfAborted()
    if (isTaken) return
  }
}
