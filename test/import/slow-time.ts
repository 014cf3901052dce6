import type { Timers } from '../providers/send-by.ts'

/** More turns than any work in this process needs that waits for no timer and no database. */
const quietTurns = 20

/** A clock that advances only when all work is idle, to the next of its timers. */
export type SlowTime = Timers & {
  /** Milliseconds that have passed. */
  readonly nowMs: number
  wait(ms: number): Promise<void>
  /** Lets time pass until the work is done. */
  passUntil<T>(work: Promise<T>): Promise<T>
}

export function createSlowTime(): SlowTime {
  let nowMs = 0
  const timers = new Set<{ at: number; run: () => void }>()
  const start = (run: () => void, ms: number): unknown => {
    const timer = { at: nowMs + ms, run }
    timers.add(timer)
    return timer
  }
  const next = () => [...timers].sort((a, b) => a.at - b.at)[0]
  return {
    start,
    stop: (timer) => void timers.delete(timer as never),
    get nowMs() {
      return nowMs
    },
    wait: (ms) => new Promise((resolve) => void start(resolve, ms)),
    async passUntil(work) {
      let isDone = false
      const ended = () => {
        isDone = true
      }
      work.then(ended, ended)
      while (!isDone) {
        const first = next()
        for (let turn = 0; turn < quietTurns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
        if (!first || next() !== first) continue
        timers.delete(first)
        nowMs = Math.max(nowMs, first.at)
        first.run()
      }
      return work
    },
  }
}
