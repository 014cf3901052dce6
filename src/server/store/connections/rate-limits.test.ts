import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { createSharedClock } from '#test/shared-clock.ts'
import { type Budget, waitForPlace } from '../../providers/rate-limits.ts'
import { openDatabase } from '../postgres/database.ts'
import { createRateLimits } from './rate-limits.ts'

let db: TestDatabase
/** A second pool acts as another process. */
let otherPool: TestDatabase['database']
beforeAll(async () => {
  db = await newDatabase()
  otherPool = openDatabase({ url: db.url, poolSize: 5, statementTimeoutMs: 30_000, onError: () => {} })
})
afterAll(async () => {
  await otherPool.destroy()
  await db.close()
})

let accounts = 0
/** Two processes that share one account and one clock. */
function stage(callers = 1) {
  const clock = createSharedClock(callers)
  const lane = { account: `account ${++accounts}`, endpointGroup: 'all' }
  return {
    clock,
    lane,
    one: createRateLimits(db.database, clock.now),
    two: createRateLimits(otherPool, clock.now),
  }
}

const budget: Budget = { requests: 4, windowMs: 200 }

function mostInAnyWindow(times: readonly number[], windowMs: number): number {
  return Math.max(
    ...times.map((from) => times.filter((time) => time >= from && time < from + windowMs).length),
  )
}

describe('paces', () => {
  it('let two processes together out no faster than the budget of any window, and no slower', async () => {
    const { clock, lane, one, two } = stage(8)
    const began = clock.ms
    const callers = [one, two, one, two, one, two, one, two]
    const sent: number[] = []
    await Promise.all(
      callers.map(async (paces) => {
        for (let request = 0; request < 25; request += 1) {
          await waitForPlace(paces, lane, budget, clock)
          sent.push(clock.ms)
        }
        clock.leave()
      }),
    )
    expect(mostInAnyWindow(sent, 200)).toBeLessThanOrEqual(4)
    expect(sent).toHaveLength(200)
    expect(Math.max(...sent) - began).toBe((200 / 4 - 1) * 200)
  })

  it('give no place to two that ask at the same instant', async () => {
    const { lane, one, two } = stage()
    await one.take(lane, budget)
    const asked = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? one : two).take(lane, budget))
    const taken = (await Promise.all(asked)).flatMap(({ waitMs, isTaken }) => (isTaken ? [waitMs] : []))
    // Four places in each 200 ms, up to a second ahead; the first one is already used.
    expect(taken.toSorted((a, b) => a - b)).toEqual(
      [0, 200, 400, 600, 800, 1_000].flatMap((waitMs) => Array(4).fill(waitMs)).slice(1),
    )
  })

  it('slow one process by what the other met, once for refusals that came together, and recover', async () => {
    const { clock, lane, one, two } = stage()
    await Promise.all([one.slowDown(lane, 1_000), two.slowDown(lane, 1_000), one.slowDown(lane, 1_000)])
    expect(await two.take(lane, { requests: 1, windowMs: 100 })).toEqual({ waitMs: 1_000, isTaken: true })
    clock.ms += 1_000
    const slowed = await two.take(lane, { requests: 1, windowMs: 100 })
    expect(slowed.waitMs).toBeGreaterThan(190)
    for (let place = 0; place < 100; place += 1) {
      clock.ms += 1_000
      await one.take(lane, { requests: 1, windowMs: 100 })
    }
    expect(await two.take(lane, { requests: 1, windowMs: 100 })).toEqual({ waitMs: 100, isTaken: true })
  })

  it('keep no place for who dies: nothing is taken further off than a second', async () => {
    const { clock, lane, one, two } = stage()
    const perSecond = { requests: 3, windowMs: 1_000 }
    const taken = []
    for (let place = 0; place < 20; place += 1) taken.push(await one.take(lane, perSecond))
    expect(taken.filter(({ isTaken }) => isTaken)).toHaveLength(6)
    clock.ms += 2_000
    expect(await two.take(lane, perSecond)).toEqual({ waitMs: 0, isTaken: true })
  })

  it('are not held up by places of a clock that was put back', async () => {
    const { clock, lane, one } = stage()
    for (let place = 0; place < 9; place += 1) await one.take(lane, budget)
    clock.ms -= 3_600_000
    expect(await one.take(lane, budget)).toEqual({ waitMs: 200, isTaken: true })
  })

  it('make up within a window for what a standstill left unused, never closer than the gap', async () => {
    const { clock, lane, one, two } = stage()
    const even: Budget = { requests: 20, windowMs: 1_000, gapMs: 30 }
    await one.take(lane, even)
    clock.ms += 400
    const waits = []
    for (let place = 0; place < 21; place += 1)
      waits.push((await (place % 2 === 0 ? one : two).take(lane, even)).waitMs)
    expect(waits.slice(0, 19)).toEqual(Array.from({ length: 19 }, (_, place) => place * 30))
    // The first place becomes free a second after it was taken, the next one 400 ms later.
    expect(waits.slice(19)).toEqual([600, 1_000])
  })

  it('give no more than the budget in any window to who stands still now and then', async () => {
    const { clock, lane, one } = stage()
    const even: Budget = { requests: 20, windowMs: 1_000, gapMs: 30 }
    const sent: number[] = []
    for (let request = 0; request < 200; request += 1) {
      await waitForPlace(one, lane, even, clock)
      sent.push(clock.ms)
      if (request % 31 === 30) clock.ms += 700
      if (request % 7 === 6) clock.ms += 45
    }
    expect(mostInAnyWindow(sent, 1_000)).toBe(20)
    const gaps = sent.slice(1).map((at, index) => at - (sent[index] ?? at))
    expect(Math.min(...gaps)).toBe(30)
  })

  it('count accounts and their buckets apart', async () => {
    const { lane, one } = stage()
    const single = { requests: 1, windowMs: 60_000 }
    await one.take(lane, single)
    expect(await one.take(lane, single)).toMatchObject({ isTaken: false })
    expect(await one.take({ ...lane, endpointGroup: 'search' }, single)).toEqual({ waitMs: 0, isTaken: true })
    expect(await one.take({ ...lane, account: 'another' }, single)).toEqual({ waitMs: 0, isTaken: true })
  })

  it("go by the database's clock where none is handed in", async () => {
    const { lane } = stage()
    const paces = createRateLimits(db.database)
    const single = { requests: 1, windowMs: 60_000 }
    expect(await paces.take(lane, single)).toEqual({ waitMs: 0, isTaken: true })
    const next = await paces.take(lane, single)
    expect(next.isTaken).toBe(false)
    expect(next.waitMs).toBeGreaterThan(1_000)
  })
})
