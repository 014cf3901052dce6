import type { Call } from './calls.ts'

export type Timed = { kind: string; path: string; ms: number; status: number }

/**
 * Sends the calls in turn at a constant rate, whether earlier ones have been answered or not, and measures each from
 * the moment it was due: a server that falls behind shows it.
 */
export async function atConstantRate(
  origin: string,
  cookie: string,
  calls: readonly Call[],
  rate: { perSecond: number; seconds: number; offset?: number },
): Promise<Timed[]> {
  const count = Math.round(rate.perSecond * rate.seconds)
  const startedAt = performance.now()
  const running: Promise<Timed>[] = []
  for (let number = 0; number < count; number += 1) {
    const dueAt = startedAt + (number * 1_000) / rate.perSecond
    const waitMs = dueAt - performance.now()
    if (waitMs > 0) await new Promise((done) => setTimeout(done, waitMs))
    const call = calls[((rate.offset ?? 0) + number) % calls.length]
    if (call) running.push(timed(origin, cookie, call, dueAt))
  }
  return Promise.all(running)
}

async function timed(origin: string, cookie: string, call: Call, dueAt: number): Promise<Timed> {
  const answer = await fetch(`${origin}${call.path}`, { headers: { cookie } })
  await answer.arrayBuffer()
  return { ...call, ms: performance.now() - dueAt, status: answer.status }
}

/** The value below which this share lies. */
export function quantile(timed: readonly Timed[], share: number): number {
  const sorted = timed.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
