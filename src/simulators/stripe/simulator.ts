import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { createApi } from './api.ts'
import { mountControls } from './controls.ts'
import type { Wait } from './faults/fault-bodies.ts'
import { FaultBoard } from './faults/faults.ts'
import { mountDashboard } from './pages/dashboard.ts'
import { isPermission } from './requests/keys.ts'
import { RequestLedger } from './requests/ledger.ts'
import { type StripeAnswers, usualAnswers } from './requests/open-answers.ts'
import { RateLimiter, type SimulatedRateLimits, testModeLimits } from './requests/rate-limit.ts'
import { openAccount } from './world/account.ts'
import type { SimulatedWorld } from './world/world.ts'
import { changeWorld, type WorldChange } from './world/world-changes.ts'

export type StripeSimulatorOptions = {
  readonly world: SimulatedWorld
  /** Unix milliseconds, only for the rate limits. The account's own time is the world's `as_of`. */
  readonly clock?: () => number
  /** Accepted keys in addition to the demonstration keys and those of the world. */
  readonly keys?: readonly string[]
  /** Origin of the links between dashboard pages; the simulator's own by default. */
  readonly dashboardUrl?: string
  /** Requests per second; null switches the limits off. Test mode by default. */
  readonly limits?: SimulatedRateLimits | null
  /** Answers that differ from the usual ones. */
  readonly openAnswers?: Partial<StripeAnswers>
  /** Waits during delayed faults; a timer by default. */
  readonly wait?: Wait
}

/** The bindings that `serve` of @hono/node-server passes to fetch; none in process. */
type Bindings = Partial<HttpBindings>

export type StripeSimulator = {
  /** Answers one request; pass it to `serve`, or call it like `fetch` in process. */
  fetch(request: Request, bindings?: object): Promise<Response>
  readonly world: SimulatedWorld
  setWorld(world: SimulatedWorld): void
  /** Adds objects to the account or removes them, from the next request on. */
  change(change: WorldChange): void
  readonly requests: RequestLedger
  readonly faults: FaultBoard
}

/** Simulates Stripe with one world: the GET side of the v1 API in test mode. */
export function createStripeSimulator(options: StripeSimulatorOptions): StripeSimulator {
  let { world } = options
  let account = openAccount(world)
  const requests = new RequestLedger()
  const faults = new FaultBoard()
  const limits = options.limits === undefined ? testModeLimits : options.limits
  const answer = createApi({
    account: () => account,
    keys: options.keys ?? [],
    openAnswers: { ...usualAnswers, ...options.openAnswers },
    limiter: limits === null ? undefined : new RateLimiter(limits),
    nowMs: options.clock ?? Date.now,
    wait: options.wait ?? timer,
    faults,
    requests,
    changeAccount: change,
  })
  const app = new Hono<{ Bindings: Bindings }>()
  mountControls(app, { requests, faults, change })
  mountDashboard(app, () => account, options.dashboardUrl ?? '', isPermission)
  app.all('*', (context) => answer(context.req.raw, context.env.incoming?.socket))
  // `fetch` throws a reset, so this does; anything else is a defect that must be visible.
  app.onError((error) => {
    throw error
  })
  return {
    fetch: async (request, bindings) => app.fetch(request, bindings ?? {}),
    get world() {
      return world
    },
    setWorld,
    change,
    requests,
    faults,
  }
  function setWorld(next: SimulatedWorld): void {
    world = next
    account = openAccount(next)
  }
  function change(wanted: WorldChange): void {
    setWorld(changeWorld(world, wanted))
  }
}

function timer(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
