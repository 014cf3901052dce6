import { afterEach, describe, expect, it } from 'vitest'
import type { SimulatedWorld } from '#simulators/stripe/world/world.ts'
import { daySeconds, dayZero, hourSeconds, lastHour, movingAccount } from '#test/import/moving-account.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { countSteps, Killed, type Steps, stepFates } from '#test/import/steps.ts'
import type { FetchStub } from '#test/providers/send-by.ts'
import { pick, seeded } from '#test/safety/chance.ts'
import { ProviderError } from '../../../providers/provider-error.ts'
import { type Claim, RunLost } from '../../../store/runs/runs.ts'
import { connectPayments } from '../../connections/connect-payments.ts'
import { assistImport } from '../assist-import.ts'

/** HANDOVERS imports more accounts, each with its own kills, faults and changes; SEED names the first. */
const handovers = Number(process.env['HANDOVERS'] ?? 2)
const firstSeed = Number(process.env['SEED'] ?? 1)
const seeds = Array.from({ length: handovers }, (_, index) => firstSeed + index)
const customers = 12
const killsMax = 6
/** A blow comes within this number of steps, so that some come late in an import. */
const stepsMax = 90
const testTimeoutMs = 600_000

const stages: ImportStage[] = []
afterEach(async () => {
  await Promise.all(stages.splice(0).map((stage) => stage.close()))
})

type Course = {
  stage: ImportStage
  steps: Steps
  random: () => number
  /** Acts when this number of further requests has been made. */
  after(requests: number, act: () => void): void
  /** Acts at once on everything that still waits for its request. */
  actNow(): void
}

async function staged(seed: number, world: SimulatedWorld): Promise<Course> {
  const random = seeded(seed)
  const steps = countSteps()
  let asked = 0
  let due: { at: number; act: () => void }[] = []
  const actUntil = (most: number) => {
    const now = due.filter(({ at }) => at <= most).toSorted((a, b) => a.at - b.at)
    due = due.filter(({ at }) => at > most)
    for (const { act } of now) act()
  }
  const acting =
    (fetch: FetchStub): FetchStub =>
    (request) => {
      asked += 1
      actUntil(asked)
      return fetch(request)
    }
  const stage = await stageImport({
    world,
    pageSize: pick(random, [3, 10, 40]),
    around: (fetch) => steps.around(acting(fetch)),
    aroundDatabase: steps.aroundDatabase,
  })
  stages.push(stage)
  let aheadMs = 0
  const { now } = stage.deps
  stage.deps.now = () => new Date(now().getTime() + aheadMs)
  // Only waiting moves this clock, so that a lease of a dead worker ends.
  stage.deps.sleep = async (ms, signal) => {
    aheadMs += ms
    await new Promise((next) => setTimeout(next, 1))
    signal?.throwIfAborted()
  }
  return {
    ...{ stage, steps, random },
    after: (requests, act) => void due.push({ at: asked + requests, act }),
    actNow: () => actUntil(Number.POSITIVE_INFINITY),
  }
}

/** Lets the account change at some of the next requests. */
function move({ stage, random, after }: Course, worlds: readonly SimulatedWorld[]): void {
  const at = worlds.map(() => 1 + Math.floor(random() * stepsMax)).toSorted((a, b) => a - b)
  for (const [index, world] of worlds.entries()) after(at[index] ?? 1, () => stage.simulator.setWorld(world))
}

const transient = [
  { kind: 'rate_limit', reason: 'global-rate' },
  { kind: 'status', status: 500 },
  { kind: 'html' },
  { kind: 'reset' },
  { kind: 'truncate' },
  { kind: 'empty_page' },
] as const
const places = ['subscriptions', 'invoices', 'customers', 'prices?', 'invoice_payments', 'events'] as const

/** Up to three faults, each at one list. */
async function strike({ stage, random }: Course): Promise<void> {
  for (let left = Math.floor(random() * 4); left > 0; left -= 1) {
    const match = { pathPrefix: `/v1/${pick(random, places)}`, nth: 1 + Math.floor(random() * 4), times: 1 }
    const body = JSON.stringify({ ...pick(random, transient), match })
    const answer = await stage.simulator.fetch(
      new Request('http://stripe.test/_faults', { method: 'POST', body }),
    )
    expect(answer.status).toBe(201)
  }
}

/** The errors of a worker that died, lost its connection or lost the run to the next one. */
function isOfDeath(error: unknown): boolean {
  if (error instanceof Killed || error instanceof RunLost) return true
  return error instanceof Error && /^(killed|Connection terminated unexpectedly)$/.test(error.message)
}

/** The error of a helper whose tries all met the blow that struck the worker: to it, Stripe is away. */
function isCutOff(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === 'unavailable'
}

/** Reads beside the worker of the claim until it is killed or nothing is left to read; returns its error. */
function help({ stage, random, after }: Course, claim: Claim): { kill: () => void; done: Promise<unknown> } {
  const own = new AbortController()
  const kill = () => own.abort(new Killed())
  after(1 + Math.floor(random() * 30), kill)
  const done = assistImport(stage.deps, claim, own.signal).catch((error: unknown) => error)
  return { kill, done }
}

/** Works on an import that dies again and again; each time another worker continues it. */
async function importHandedOver(
  course: Course,
  request: Parameters<ImportStage['start']>[0],
): Promise<number> {
  const { stage, steps, random } = course
  let [begun, kills] = [await stage.start(request), 0]
  for (;;) {
    const isStruck = kills < killsMax
    const blow = { step: 1 + Math.floor(random() * stepsMax), fate: pick(random, stepFates) }
    const helpers = Array.from({ length: Math.floor(random() * 3) }, () => help(course, begun.claim))
    const outcome: unknown = await stage
      .work(begun, steps.begin(isStruck ? blow : undefined))
      .catch((error: unknown) => error)
    steps.begin()
    for (const { kill } of helpers) kill()
    for (const ended of await Promise.all(helpers.map(({ done }) => done)))
      if (ended !== undefined) expect(isOfDeath(ended) || isCutOff(ended), String(ended)).toBe(true)
    if (!(outcome instanceof Error)) {
      expect(outcome).toMatchObject({ status: 'completed', failed_records: 0 })
      return kills
    }
    expect(isOfDeath(outcome), outcome.stack).toBe(true)
    kills += 1
    // If the end of the run was done, there is nothing to continue.
    const next = await stage.claim(begun.run.id).catch(() => undefined)
    if (!next) return kills
    begun = next
  }
}

describe('an import that is killed again and again, read by several workers, while the account moves', () => {
  it.each(seeds)(
    'leaves, after one quiet import, what a fresh import leaves (account %i)',
    async (seed) => {
      const worldAt = movingAccount(seed + 100, customers)
      const hours = [0, 7, 30, 31, 60, 75].map((hour) => dayZero + hour * hourSeconds)
      const [first, ...later] = hours.map(worldAt)
      if (!first) throw new Error('there is no account')
      const course = await staged(seed, first)
      const { stage, steps, actNow } = course
      steps.begin()
      await connectPayments(stage.deps, stage.organizationId, demoKey)
      await strike(course)
      move(course, later.slice(0, 3))
      let kills = await importHandedOver(course, { mode: 'historical' })
      actNow()
      await strike(course)
      move(course, later.slice(3))
      kills += await importHandedOver(course, lastHour(dayZero + 32 * hourSeconds))
      actNow()
      expect(kills).toBeGreaterThan(0)
      stage.simulator.faults.clear()
      const at = dayZero + 4 * daySeconds
      stage.simulator.setWorld(worldAt(at))
      steps.begin()
      expect(await stage.work(await stage.start(lastHour(at)))).toMatchObject({ status: 'completed' })
      const fresh = await stage.another('Fresh')
      await fresh.importAll()
      expect(await stage.dump()).toEqual(await fresh.dump())
    },
    testTimeoutMs,
  )
})
