import type { Log } from './log.ts'
import type { Database } from './store/database.ts'
import { readDatabaseTime } from './store/ping-database.ts'

/** What the way to the database and back may take is no difference between clocks. */
const noteFromMs = 2_000
const everyMs = 60_000

export type DatabaseClock = {
  now(): Date
  /** Compares this machine's clock with the database's; where the database is away the last difference stays. */
  set(): Promise<void>
  stop(): void
}

/**
 * The time as the database has it: what several machines write beside each other has one order then, and a run that was made
 * here and ended there did not end before it began. `local` counts milliseconds as this machine does.
 */
export function createDatabaseClock(database: Database, log: Log, local: () => number): DatabaseClock {
  let aheadMs = 0
  const set = async (): Promise<void> => {
    try {
      const asked = local()
      const there = await readDatabaseTime(database)
      const difference = (asked + local()) / 2 - there.getTime()
      const isOff = Math.abs(difference) >= noteFromMs
      if (isOff && aheadMs === 0)
        log.warn({ aheadMs: Math.round(difference) }, "this machine's clock is wrong: the database's is used")
      aheadMs = isOff ? difference : 0
    } catch (error) {
      log.debug({ error }, 'the clocks could not be compared')
    }
  }
  const timer = setInterval(() => void set(), everyMs)
  timer.unref()
  return { now: () => new Date(local() - aheadMs), set, stop: () => clearInterval(timer) }
}
