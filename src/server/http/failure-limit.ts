import { Refusal } from '../refusal.ts'

/** Callers that are remembered as good, so that a flood of strangers does not shut them out. */
const goodMax = 1_000

/**
 * Lets calls through until too many of them were refused within a time; then only callers that succeeded before get
 * through, until the time has passed. Keeps a flood of guesses from the database.
 */
export function createFailureLimit(max: { count: number; withinMs: number }, now: () => Date) {
  const good = new Set<string>()
  let failures = 0
  let windowEndsAt = 0
  return async function limited<T>(caller: string, call: () => Promise<T>): Promise<T> {
    const at = now().getTime()
    if (at >= windowEndsAt) {
      failures = 0
      windowEndsAt = at + max.withinMs
    }
    if (failures >= max.count && !good.has(caller)) {
      const retryAfterSeconds = Math.ceil((windowEndsAt - at) / 1_000)
      throw new Refusal('rate_limited', 'Too many requests were refused. Try again later.', retryAfterSeconds)
    }
    try {
      const result = await call()
      good.delete(caller)
      good.add(caller)
      for (const oldest of good) {
        if (good.size <= goodMax) break
        good.delete(oldest)
      }
      return result
    } catch (error) {
      if (error instanceof Refusal) failures += 1
      throw error
    }
  }
}
