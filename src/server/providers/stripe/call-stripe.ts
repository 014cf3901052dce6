import type { Log } from '../../log.ts'
import { ProviderError } from '../provider-error.ts'
import { type Limit, type RateLimiter, waitForPlace } from '../rate-limits.ts'
import { budgetOf, type RateLimits } from './budgets.ts'
import { wallErrorIn } from './guarded-client.ts'
import { rateLimitReason, toProviderError } from './to-provider-error.ts'

const triesMax = 6
/** While a person waits for the answer. */
const triesMaxOfPerson = 2
const firstDelayMs = 1_000
const delayMaxMs = 32_000

/** What is given out after a refusal: nothing for so long, and then half. */
const pauseMs = 1_000

export type CallParts = {
  /** Whose budgets the requests draw on: of each, all the time. */
  accounts: ReadonlySet<string>
  /** null: the requests are not paced. */
  paces: RateLimiter | null
  limits: RateLimits
  now: () => Date
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  signal: AbortSignal | undefined
  isPersonWaiting: boolean
  log: Log | undefined
}

/** Makes one request at the pace of the account and repeats it while that can help: at most six times in all, twice while a person waits. */
export type CallStripe = <T>(endpoint: string, doing: string, request: () => Promise<T>) => Promise<T>

export function createCallStripe(parts: CallParts): CallStripe {
  const { sleep, signal } = parts
  const pace = createPace(parts)
  return async (endpoint, doing, request) => {
    for (let tries = 1; ; tries += 1) {
      signal?.throwIfAborted()
      await pace.wait(endpoint)
      try {
        return await request()
      } catch (error) {
        signal?.throwIfAborted()
        const wall = wallErrorIn(error)
        if (wall) throw wall
        const limited = rateLimitReason(error)
        if (limited) await pace.slowDown(endpoint, limited.reason)
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

/** The shared rows of the paces could not be reached: no failure of the provider. */
class PaceLost extends Error {}

function createPace({ accounts, paces, limits, sleep, signal }: CallParts) {
  const lanesOf = (endpoint?: string) =>
    [...accounts].map((account) => ({ account: `stripe ${account}`, endpointGroup: endpoint ?? 'all' }))
  const orLost = (cause: unknown): never => {
    signal?.throwIfAborted()
    throw new PaceLost('The pace of requests could not be kept.', { cause })
  }
  return {
    /** A place of the endpoint first, so that one endpoint's queue holds no places of the whole account. */
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
      const lanes = reason?.startsWith('endpoint') ? lanesOf(endpoint) : lanesOf()
      for (const lane of lanes) await paces?.slowDown(lane, pauseMs).catch(orLost)
    },
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
    if (error instanceof PaceLost) throw error.cause
    if (wallErrorIn(error) || error instanceof ProviderError) throw error
    throw toProviderError(error, doing)
  }
}
