/**
 * A clock for any number of callers: it advances to the next sleeper's time when none of the work reported to it is
 * running.
 */
export type QuietClock = {
  readonly ms: number
  now: () => Date
  sleep: (ms: number) => Promise<void>
  /** Work during which no time passes. */
  hold: <T>(work: Promise<T>) => Promise<T>
  /** Lets time pass until the work is done. */
  passUntil: <T>(work: Promise<T>) => Promise<T>
}

/** More turns than any work in this process needs that waits for nothing outside. */
const quietTurns = 20

export function createQuietClock(): QuietClock {
  let ms = Date.UTC(2026, 10, 20)
  let held = 0
  const asleep: { at: number; wake: () => void }[] = []
  const isQuiet = async (): Promise<boolean> => {
    for (let turn = 0; turn < quietTurns; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      if (held > 0) return false
    }
    return true
  }
  return {
    get ms() {
      return ms
    },
    now: () => new Date(ms),
    // Whole milliseconds, as in a Date.
    sleep: (wait) => new Promise((wake) => void asleep.push({ at: Math.ceil(ms + wait), wake })),
    async hold(work) {
      held += 1
      return work.finally(() => {
        held -= 1
      })
    },
    async passUntil(work) {
      let isDone = false
      const end = () => {
        isDone = true
      }
      work.then(end, end)
      while (!isDone) {
        if (!(await isQuiet())) continue
        asleep.sort((a, b) => a.at - b.at)
        const next = asleep.shift()
        ms = Math.max(ms, next?.at ?? 0)
        next?.wake()
      }
      return work
    },
  }
}
