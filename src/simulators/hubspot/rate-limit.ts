import type { Context, Next } from 'hono'
import type { SimulatorEnv } from './caller.ts'
import { HubspotError } from './errors.ts'
import type { World } from './world.ts'

const tenSecondsMs = 10_000
const secondMs = 1_000

/** Requests of one app in one portal within a rolling window. A refused request is not counted. */
class RollingWindow {
  readonly #lengthMs: number
  readonly #limit: number
  readonly #takenAt = new Map<number, number[]>()

  constructor(limit: number, lengthMs: number) {
    this.#limit = limit
    this.#lengthMs = lengthMs
  }

  /** Accepts one request at an instant and returns how many are left, or undefined if it is over the limit. */
  take(hubId: number, now: number): number | undefined {
    const recent = (this.#takenAt.get(hubId) ?? []).filter((at) => at > now - this.#lengthMs)
    this.#takenAt.set(hubId, recent)
    if (recent.length >= this.#limit) return undefined
    recent.push(now)
    return this.#limit - recent.length
  }
}

/**
 * The burst limits of a marketplace app: 110 in 10 s, with headers; search has a limit per second, without headers.
 */
export function limitRate(world: World) {
  const { per10s, searchPerSecond } = world.settings.rateLimit
  const general = new RollingWindow(per10s, tenSecondsMs)
  const search = new RollingWindow(searchPerSecond, secondMs)
  return async (c: Context<SimulatorEnv>, next: Next): Promise<void> => {
    const { hubId } = c.get('caller').portal
    if (c.req.method === 'POST' && c.req.path.endsWith('/search')) {
      if (search.take(hubId, world.now()) === undefined) throw rateLimited('SECONDLY')
    } else {
      const remaining = general.take(hubId, world.now())
      c.header('X-HubSpot-RateLimit-Max', String(per10s))
      c.header('X-HubSpot-RateLimit-Remaining', String(remaining ?? 0))
      c.header('X-HubSpot-RateLimit-Interval-Milliseconds', String(tenSecondsMs))
      if (remaining === undefined) throw rateLimited('TEN_SECONDLY_ROLLING')
    }
    await next()
  }
}

export type RatePolicy = 'TEN_SECONDLY_ROLLING' | 'SECONDLY' | 'DAILY'

/** HubSpot's 429 for a policy; newer answers carry `category` beside `errorType`. */
export function rateLimited(policyName: RatePolicy): HubspotError {
  const name = { TEN_SECONDLY_ROLLING: 'ten_secondly_rolling', SECONDLY: 'secondly', DAILY: 'daily' }[
    policyName
  ]
  const body = {
    message: `You have reached your ${name} limit.`,
    errorType: 'RATE_LIMIT',
    category: 'RATE_LIMITS',
    policyName,
  }
  return new HubspotError(429, body)
}
