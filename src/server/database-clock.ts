import type { Log } from './log.ts'

/** From here on somebody should set the machine's clock. */
const warnFromMs = 2_000
const compareEveryMs = 60_000
const lookEveryMs = 1_000
/** A clock that moved so far beside the steady one was set by somebody. */
const jumpMs = 250
/** The database's answer leaves out what is below a millisecond. */
const answerUnsureMs = 1

/** The clocks of this machine, in milliseconds: the wall's, which may be set, and one that only ever goes on. */
export type OwnClocks = { wall: () => number; steady: () => number }

export type DatabaseClock = {
  now(): Date
  /** Compares this machine's clock with the database's; where the database is away the last difference stays. */
  set(): Promise<void>
  /** The same where the last comparison is old, failed, or was before the machine's clock was set. */
  look(): Promise<void>
  stop(): void
}

/**
 * The time as the database has it: what several machines write beside each other has one order then, and a run that was made
 * here and ended there did not end before it began. `read` asks the database.
 */
export function createDatabaseClock(read: () => Promise<Date>, log: Log, own: OwnClocks): DatabaseClock {
  let aheadMs = 0
  let isWarned = false
  let compared: { atMs: number; gapMs: number } | undefined
  let isComparing = false
  const gapNow = () => own.wall() - own.steady()

  const compare = async (): Promise<void> => {
    // The first may have to open a connection, which would make the measure a coarse one.
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
