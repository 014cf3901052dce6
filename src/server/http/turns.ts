// One organization or person must not keep the database from others: its work waits in a line of its own, and lines take
// turns. What waits holds no connection. Never begin a transaction of an organization inside another one.

import { Refusal } from '../refusal.ts'

type Limits = {
  /** Works of one key that go on at a time. */
  each: number
  /** Works of all keys that do. */
  altogether: number
  /** Works of one key that may wait, and for how long. */
  waitingMax: number
  waitMs: number
}

/** Does the work once it is the key's turn. A request that is given up leaves its line. */
export type Turns = <T>(key: Key, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>
type Key = number | string

/** Of the twenty connections of a server's pool these leave some to sign-in, health and small work, whoever is busy. */
const transactions: Limits = { each: 6, altogether: 13, waitingMax: 300, waitMs: 10_000 }
const sessions: Limits = { each: 3, altogether: 4, waitingMax: 300, waitMs: 10_000 }
/** Below what an organization may have, so that one person leaves something to the others. */
const dearCalls: Limits = { each: 3, altogether: Number.POSITIVE_INFINITY, waitingMax: 50, waitMs: 10_000 }

/** Turns of organizations at their transactions, in one process. */
export const createTransactionTurns = (limits = transactions): Turns => createTurns(limits)
/** Turns at the question who calls. */
export const createSessionTurns = (limits = sessions): Turns => createTurns(limits)
/** Turns of persons at what costs most. */
export const createDearTurns = (limits = dearCalls): Turns => createTurns(limits)

const retryAfterSeconds = 5

type Line = { key: Key; going: number; waiting: Set<() => void> }

/**
 * Lets a few works of each key go on and makes the others wait without anything in hand: one line for each key, first come first
 * served, and the lines in turn, so that whoever asks a lot waits for itself. The packages for queues know one line, which
 * the busiest fills.
 */
function createTurns({ each, altogether, waitingMax, waitMs }: Limits): Turns {
  /** In the order of their turns; a line that nobody is in is not kept. */
  const lines = new Map<Key, Line>()
  let going = 0

  function admit(): void {
    while (going < altogether) {
      const line = lines.values().find((one) => one.going < each && one.waiting.size > 0)
      const enter = line?.waiting.values().next().value
      if (line === undefined || enter === undefined) return
      // The next turn is for all others first.
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
