import type { Log } from './log.ts'

/** From this difference on, a log line asks the operator to set the machine's clock. */
const warnFromMs = 2_000
const compareEveryMs = 60_000
const lookEveryMs = 1_000
/** When the wall clock and the steady clock differ by more than this, somebody has set the wall clock. */
const jumpMs = 250
/** The database's answer has no fractions of a millisecond. */
const answerUnsureMs = 1

/**
 * This machine's clocks in milliseconds: the wall clock, which somebody may set, and a steady one that only moves
 * forward.
 */
export type OwnClocks = { wall: () => number; steady: () => number }

export type DatabaseClock = {
  now(): Date
  /**
   * Compares this machine's clock with the database's. While the database is away, the last difference stays
   * valid.
   */
  set(): Promise<void>
  /**
   * Compares again only if the last comparison is old, failed, or took place before somebody set the machine's
   * clock.
   */
  look(): Promise<void>
  stop(): void
}

/**
 * The time of the database's clock. Several machines then write times in one order, and no run ends before it
 * began. `read` asks the database.
 */
export function createDatabaseClock(read: () => Promise<Date>, log: Log, own: OwnClocks): DatabaseClock {
  let aheadMs = 0
  let isWarned = false
  let compared: { atMs: number; gapMs: number } | undefined
  let isComparing = false
  const gapNow = () => own.wall() - own.steady()

  const compare = async (): Promise<void> => {
    // The first query may have to open a connection, which would make the measurement inaccurate.
    await read()
    const askedMs = own.steady()
    const there = await read()
    const unsureMs = (own.steady() - askedMs) / 2
    const differenceMs = own.wall() - unsureMs - there.getTime()
    if (Math.abs(differenceMs - aheadMs) > unsureMs + answerUnsureMs) aheadMs = differenceMs
    const isOff = Math.abs(aheadMs) >= warnFromMs
    if (isOff && !isWarned)
      log.warn({ aheadMs: Math.round(aheadMs) }, "this machine's clock is wrong: the database's is used")
    isWarned = isOff
    compared = { atMs: own.steady(), gapMs: gapNow() }
  }
  const set = async (): Promise<void> => {
    isComparing = true
    try {
      await compare()
    } catch (error) {
      log.debug({ error }, 'the clocks could not be compared')
    } finally {
      isComparing = false
    }
  }
  const look = async (): Promise<void> => {
    const isDue =
      compared === undefined ||
      own.steady() - compared.atMs >= compareEveryMs ||
      Math.abs(gapNow() - compared.gapMs) > jumpMs
    if (isDue && !isComparing) await set()
  }
  const timer = setInterval(() => void look(), lookEveryMs)
  timer.unref()
  return { now: () => new Date(own.wall() - aheadMs), set, look, stop: () => clearInterval(timer) }
}
