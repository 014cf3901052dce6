import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDatabaseClock, type DatabaseClock } from './database-clock.ts'
import { createLog } from './log.ts'

const begin = Date.UTC(2026, 4, 20, 12)
const log = createLog({ level: 'silent', name: 'test' })

/** The true time, by which the database goes, how far off this machine is, and what an answer of the database takes. */
let elapsedMs: number
let aheadMs: number
let wayMs: number
let isAway: boolean
let warnings: unknown[]
let clock: DatabaseClock
beforeEach(() => {
  ;[elapsedMs, aheadMs, wayMs, isAway, warnings] = [0, 0, 0, false, []]
  vi.spyOn(log, 'warn').mockImplementation((...said: unknown[]) => void warnings.push(said))
  const read = async () => {
    if (isAway) throw new Error('away')
    elapsedMs += wayMs / 2
    const at = new Date(begin + elapsedMs)
    elapsedMs += wayMs / 2
    return at
  }
  clock = createDatabaseClock(read, log, {
    wall: () => begin + elapsedMs + aheadMs,
    steady: () => 5_000 + elapsedMs,
  })
})
afterEach(() => {
  clock.stop()
  vi.restoreAllMocks()
})

const offMs = () => clock.now().getTime() - (begin + elapsedMs)

describe('the clock of a process', () => {
  it.each([7_200_000, -7_200_000, 1_500, -900, 40])(
    'goes by the database where it is %i ms off',
    async (ms) => {
      aheadMs = ms
      wayMs = 10
      await clock.set()
      expect(offMs()).toBe(0)
      expect(warnings).toHaveLength(Math.abs(ms) >= 2_000 ? 1 : 0)
    },
  )

  it('is left alone by a difference that the way to the database may have made', async () => {
    aheadMs = 30
    wayMs = 100
    await clock.set()
    expect(offMs()).toBe(30)
  })

  it('is compared again a minute later, and not before', async () => {
    await clock.set()
    aheadMs = 200
    elapsedMs += 59_000
    await clock.look()
    expect(offMs()).toBe(200)
    elapsedMs += 1_000
    await clock.look()
    expect(offMs()).toBe(0)
  })

  it('is compared at once when somebody sets it', async () => {
    await clock.set()
    aheadMs = -3_600_000
    await clock.look()
    expect(offMs()).toBe(0)
    aheadMs = 0
    await clock.look()
    expect(offMs()).toBe(0)
    expect(warnings).toHaveLength(1)
  })

  it('is compared as soon as a database is back that was away at the start', async () => {
    aheadMs = 60_000
    isAway = true
    await clock.set()
    await clock.look()
    expect(offMs()).toBe(60_000)
    isAway = false
    await clock.look()
    expect(offMs()).toBe(0)
  })

  it('keeps the last difference while the database is away', async () => {
    aheadMs = 60_000
    await clock.set()
    isAway = true
    elapsedMs += 120_000
    await clock.look()
    expect(offMs()).toBe(0)
  })
})
