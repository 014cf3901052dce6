import type { ErrorCode } from '#contract/errors.ts'
import { networkOf } from '../providers/identity/network.ts'
import { Refusal } from '../refusal.ts'

/** This many successful callers are remembered, so that strangers in their network cannot shut them out. */
const goodMax = 1_000
/** Errors that count against the sender. Being too fast, or arriving while the server is busy, does not count. */
const faults: readonly ErrorCode[] = ['invalid_request', 'payload_too_large']

export type Sender = {
  /** The network address; null when it is not known. */
  address: string | null
  /** The organization that the sender claims to send for. */
  caller: string
}

/**
 * After too many refusals from one network within a time, only callers that succeeded before get through, until as
 * many of their own calls were refused. This keeps floods of guesses away from the database and affects no other
 * network.
 */
export function createFailureLimit(max: { count: number; withinMs: number }, now: () => Date) {
  const good = new Set<string>()
  const windows = new Map<string, { failures: number; endsAt: number }>()
  let forgetAt = 0
  return async function limited<T>({ address, caller }: Sender, call: () => Promise<T>): Promise<T> {
    const network = networkOf(address ?? '')
    const key = good.has(caller) ? `${network} ${caller}` : network
    const at = now().getTime()
    if (at >= forgetAt) {
      for (const [each, { endsAt }] of windows) if (endsAt <= at) windows.delete(each)
      forgetAt = at + max.withinMs
    }
    const known = windows.get(key)
    const open = known !== undefined && known.endsAt > at ? known : null
    if (open !== null && open.failures >= max.count) {
      const retryAfterSeconds = Math.ceil((open.endsAt - at) / 1_000)
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
      if (error instanceof Refusal && faults.includes(error.code)) {
        const counted = windows.get(key)
        if (counted !== undefined && counted.endsAt > at) counted.failures += 1
        else windows.set(key, { failures: 1, endsAt: at + max.withinMs })
      }
      throw error
    }
  }
}
