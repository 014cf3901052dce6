// One organization or person must not keep the database from others: its work waits in a line of its own, and lines take
// turns. What waits holds no connection. Never begin a transaction of an organization inside another one.

import { Refusal } from '../refusal.ts'

type Limits = {
  /** How many works of one key run at the same time. */
  each: number
  /** How many works of all keys run at the same time. */
  altogether: number
  /** How many works of one key may wait, and for how long. */
  waitingMax: number
  waitMs: number
}

/** Does the work when it is the key's turn. A request that is given up leaves the line. */
export type Turns = <T>(key: Key, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>
type Key = number | string

/** A server's pool has twenty connections. These limits always leave some for sign-in, health and small work. */
const transactions: Limits = { each: 6, altogether: 13, waitingMax: 300, waitMs: 10_000 }
const sessions: Limits = { each: 3, altogether: 4, waitingMax: 300, waitMs: 10_000 }
const browsers: Limits = { each: 10, altogether: Number.POSITIVE_INFINITY, waitingMax: 1_000, waitMs: 10_000 }
/** Below the limit of an organization, so that one person leaves some turns to the others. */
const dearCalls: Limits = { each: 1, altogether: Number.POSITIVE_INFINITY, waitingMax: 50, waitMs: 10_000 }

/** Limits the transactions of each organization in one process. */
export const createTransactionTurns = (limits = transactions): Turns => createTurns(limits)
/** Limits the queries that find out who calls. */
export const createSessionTurns = (limits = sessions): Turns => createTurns(limits)
/** Limits the calls of one session at the server, so that a burst of calls cannot fill the event loop. */
export const createBrowserTurns = (): Turns => createTurns(browsers)
/** Limits each person's most expensive reads. */
export const createDearTurns = (): Turns => createTurns(dearCalls)

const retryAfterSeconds = 5

type Line = { key: Key; going: number; waiting: Set<() => void> }

/**
 * Runs a few works of each key and lets the others wait without a connection. Each key has its own first-in,
 * first-out line, and the lines take turns, so a busy caller delays only itself. Queue packages have one line.
 */
function createTurns({ each, altogether, waitingMax, waitMs }: Limits): Turns {
  /** The lines in the order of their turns. Empty lines are not stored. */
  const lines = new Map<Key, Line>()
  let going = 0

  function admit(): void {
    while (going < altogether) {
      const line = lines.values().find((one) => one.going < each && one.waiting.size > 0)
      const enter = line?.waiting.values().next().value
      if (line === undefined || enter === undefined) return
      // This key moves behind all others.
      lines.delete(line.key)
      lines.set(line.key, line)
      line.going += 1
      going += 1
      enter()
    }
  }

  function forgetEmpty(line: Line): void {
    if (line.going === 0 && line.waiting.size === 0) lines.delete(line.key)
  }

  function wait(line: Line, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.waiting.delete(enter)
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
      }
      const enter = () => {
        leave()
        resolve()
      }
      const giveUp = () => {
        leave()
        forgetEmpty(line)
        reject(crowded())
      }
      const timer = setTimeout(giveUp, waitMs)
      signal?.addEventListener('abort', giveUp)
      line.waiting.add(enter)
      admit()
    })
  }

  return async (key, work, signal) => {
    const line = lines.get(key) ?? { key, going: 0, waiting: new Set() }
    if (signal?.aborted || line.waiting.size >= waitingMax) throw crowded()
    lines.set(key, line)
    await wait(line, signal)
    try {
      return await work()
    } finally {
      line.going -= 1
      going -= 1
      forgetEmpty(line)
      admit()
    }
  }
}

function crowded(): Refusal {
  return new Refusal(
    'unavailable',
    'More is asked for at once than can be done. Try again in a few seconds.',
    retryAfterSeconds,
  )
}
