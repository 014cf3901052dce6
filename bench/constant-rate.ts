export type Timed = { ms: number; status: number }

/**
 * Sends at a constant rate without waiting for answers, and measures each call from its due time, so a server that falls
 * behind cannot hide it. `number` counts from 0.
 */
export async function atConstantRate<T extends object>(
  rate: { perSecond: number; seconds: number },
  send: (number: number) => Promise<T & { status: number }>,
): Promise<(T & Timed)[]> {
  const count = Math.round(rate.perSecond * rate.seconds)
  const startedAt = performance.now()
  const running: Promise<T & Timed>[] = []
  for (let number = 0; number < count; number += 1) {
    const dueAt = startedAt + (number * 1_000) / rate.perSecond
    const waitMs = dueAt - performance.now()
    if (waitMs > 0) await new Promise((done) => setTimeout(done, waitMs))
    running.push(send(number).then((answer) => ({ ...answer, ms: performance.now() - dueAt })))
  }
  return Promise.all(running)
}

/** The value that this share of the measured times does not exceed. */
export function quantile(timed: readonly Timed[], share: number): number {
  const sorted = timed.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
