/** Requests that may go out in any window of this length, and the time that lies between any two of them at least. */
export type Budget = { requests: number; windowMs: number; gapMs?: number }

/** A budget of one account at a provider. */
export type Limit = { account: string; endpointGroup: string }

/** Limits the requests of every process together; what one of them learns slows all. */
export type RateLimiter = {
  /**
   * Takes the limit's next place: it may be used after the wait. One too far off is not taken, so that a process that
   * dies keeps none from the others: it is to be asked for again after the wait.
   */
  take(limit: Limit, budget: Budget): Promise<{ waitMs: number; isTaken: boolean }>
  /** Gives nothing out for a while, after a refusal. */
  pause(limit: Limit, pauseMs: number): Promise<void>
  /** Pauses and halves what is given out from then on; with each place that is used it grows again. */
  slowDown(limit: Limit, pauseMs: number): Promise<void>
}

/** Waits until the limit has a place and takes it. */
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
