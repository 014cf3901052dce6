import type { Log } from '../../log.ts'
import { type OnHeard, ProviderError } from '../provider-error.ts'
import { type Limit, type RateLimiter, waitForPlace } from '../rate-limits.ts'
import { budgetOf, type RateLimits } from './budgets.ts'
import { wallErrorIn } from './guarded-client.ts'
import { noteEndpoint, rateLimitReason, toProviderError } from './to-provider-error.ts'

const triesMax = 6
/** The number of attempts while a person waits for the answer. */
const triesMaxOfPerson = 2
const firstDelayMs = 1_000
const delayMaxMs = 32_000
/** Longer waits that Stripe asks for are left to the run, which may wait for an hour. */
const askedMaxMs = 60_000

/** After a refusal: a pause of this length, then half the rate. */
const pauseMs = 1_000

export type CallParts = {
  /** The accounts whose budgets each request uses. */
  accounts: ReadonlySet<string>
  /** null: the rate of requests is not limited. */
  paces: RateLimiter | null
  limits: RateLimits
  now: () => Date
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  signal: AbortSignal | undefined
  isPersonWaiting: boolean
  onHeard: OnHeard | undefined
  log: Log | undefined
}

/**
 * Sends one request at the account's rate and repeats it while that can help: at most six attempts, two while a
 * person waits.
 */
export type CallStripe = <T>(endpoint: string, doing: string, request: () => Promise<T>) => Promise<T>

/**
 * The function through which every call to Stripe goes: it keeps to the budget and repeats what fails for a while.
 * It throws a `ProviderError`.
 */
export function createCallStripe(parts: CallParts): CallStripe {
  const { sleep, signal } = parts
  const pace = createPace(parts)
  return async (endpoint, doing, request) => {
    for (let tries = 1; ; tries += 1) {
      signal?.throwIfAborted()
      await pace.wait(endpoint)
      try {
        const answer = await request()
        parts.onHeard?.(true)
        return answer
      } catch (error) {
        signal?.throwIfAborted()
        const wall = wallErrorIn(error)
        if (wall) throw wall
        const limited = rateLimitReason(error)
        if (limited && !limited.isLock) await pace.slowDown(endpoint, limited.reason)
        noteEndpoint(error, endpoint)
        const known = toProviderError(error, doing)
        parts.onHeard?.(known.isAnswered)
        // The caller explains final refusals, because it may know better what they mean.
        if (!known.isWorthRetrying) throw error
        parts.log?.warn(
          { endpoint, tries, kind: known.kind, reason: limited?.reason },
          'Stripe did not answer',
        )
        const askedMs = known.retryAfterMs ?? 0
        const isTooLong = askedMs > (parts.isPersonWaiting ? firstDelayMs : askedMaxMs)
        if (isTooLong || tries === (parts.isPersonWaiting ? triesMaxOfPerson : triesMax)) throw known
        await sleep(Math.max(delayMs(tries, parts.now()), askedMs), signal)
      }
    }
  }
}

/** The shared rows of the rate limits were not available. This is not a failure of the provider. */
class PaceLost extends Error {}

function createPace({ accounts, paces, limits, sleep, signal }: CallParts) {
  const lanesOf = (endpoint?: string) =>
    [...accounts].map((account) => ({ account: `stripe ${account}`, endpointGroup: endpoint ?? 'all' }))
  const orLost = (cause: unknown): never => {
    signal?.throwIfAborted()
    throw new PaceLost('The pace of requests could not be kept.', { cause })
  }
  return {
    /**
     * Takes the endpoint's place first, so that a queue for one endpoint occupies no places of the whole account.
     */
    async wait(endpoint: string): Promise<void> {
      if (!paces) return
      const waiting = { sleep, signal }
      const take = async (lanes: Limit[], perSecond: number) => {
        for (const lane of lanes) await waitForPlace(paces, lane, budgetOf(perSecond), waiting).catch(orLost)
      }
      await take(lanesOf(endpoint), limits.perEndpointPerSecond)
      await take(lanesOf(), limits.perSecond)
    },
    async slowDown(endpoint: string, reason: string | undefined): Promise<void> {
      const isOfEndpoint = reason?.startsWith('endpoint') || reason === 'resource-specific'
      const lanes = isOfEndpoint ? lanesOf(endpoint) : lanesOf()
      for (const lane of lanes) await paces?.slowDown(lane, pauseMs).catch(orLost)
    },
  }
}

/**
 * Doubles with every attempt up to 32 s, and is randomly shortened by up to half, so that callers do not return
 * together.
 */
function delayMs(tries: number, now: Date): number {
  const delay = Math.min(delayMaxMs, firstDelayMs * 2 ** (tries - 1))
  return Math.round(delay * (0.5 + 0.5 * ((now.getTime() * 0.618034) % 1)))
}

/** Runs a call and translates its errors to our words. */
export async function inOurWords<T>(doing: string, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await call()
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof PaceLost) throw error.cause
    if (wallErrorIn(error) || error instanceof ProviderError) throw error
    throw toProviderError(error, doing)
  }
}
