import type { Log } from '../../log.ts'
import { ProviderError } from '../provider-error.ts'
import { wallErrorIn } from './guarded-fetch.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { rateLimitReason, toProviderError } from './to-provider-error.ts'

const triesMax = 6
/** While a person waits for the answer. */
const triesMaxOfPerson = 2
const firstDelayMs = 1_000
const delayMaxMs = 32_000

export type CallParts = {
  /** Whose budget the requests draw on. */
  account: string
  limiter: RateLimiter
  now: () => Date
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  signal: AbortSignal | undefined
  isPersonWaiting: boolean
  log: Log | undefined
}

/** Makes one request at the pace of the account and repeats it while that can help: at most six times in all, twice while a person waits. */
export type CallStripe = <T>(endpoint: string, doing: string, request: () => Promise<T>) => Promise<T>

export function createCallStripe(parts: CallParts): CallStripe {
  const { account, limiter, sleep, signal } = parts
  const wait = async (ms: number): Promise<void> => {
    if (ms > 0) await sleep(ms, signal)
  }
  return async (endpoint, doing, request) => {
    for (let tries = 1; ; tries += 1) {
      signal?.throwIfAborted()
      await wait(limiter.reserveEndpoint(account, endpoint))
      await wait(limiter.reserveAccount(account))
      try {
        const answer = await request()
        limiter.recover(account, endpoint)
        return answer
      } catch (error) {
        signal?.throwIfAborted()
        const wall = wallErrorIn(error)
        if (wall) throw wall
        const limited = rateLimitReason(error)
        if (limited) limiter.slowDown(account, endpoint, limited.reason)
        const known = toProviderError(error, doing)
        // What Stripe answered for good is told by the caller, who may know better what it means.
        if (!known.isWorthRetrying) throw error
        parts.log?.warn(
          { endpoint, tries, kind: known.kind, reason: limited?.reason },
          'Stripe did not answer',
        )
        if (tries === (parts.isPersonWaiting ? triesMaxOfPerson : triesMax)) throw known
        await sleep(delayMs(tries, parts.now()), signal)
      }
    }
  }
}

/** Doubles with every try up to 32 s; between half of it and all of it, so that callers do not come back together. */
function delayMs(tries: number, now: Date): number {
  const delay = Math.min(delayMaxMs, firstDelayMs * 2 ** (tries - 1))
  return Math.round(delay * (0.5 + 0.5 * ((now.getTime() * 0.618034) % 1)))
}

/** Runs a call and puts what it throws into our words. */
export async function inOurWords<T>(doing: string, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await call()
  } catch (error) {
    signal?.throwIfAborted()
    if (wallErrorIn(error) || error instanceof ProviderError) throw error
    throw toProviderError(error, doing)
  }
}
