/** A clock for several callers: when all of them sleep, it advances to the time of the next one. */
export type SharedClock = {
  ms: number
  now: () => Date
  sleep: (ms: number) => Promise<void>
  /** A caller calls this when it has finished. */
  leave: () => void
}

export function createSharedClock(callers: number): SharedClock {
  const asleep: { at: number; wake: () => void }[] = []
  let awake = callers
  const wakeNext = (): void => {
    if (awake > 0 || asleep.length === 0) return
    asleep.sort((a, b) => a.at - b.at)
    const next = asleep.shift()
    clock.ms = Math.max(clock.ms, next?.at ?? 0)
    awake += 1
    next?.wake()
  }
  const rest = (): void => {
    awake -= 1
    wakeNext()
  }
  const clock: SharedClock = {
    ms: Date.UTC(2026, 10, 20),
    now: () => new Date(clock.ms),
    sleep: (ms) =>
      new Promise((wake) => {
        // Whole milliseconds, as in a Date.
        asleep.push({ at: Math.ceil(clock.ms + ms), wake })
        rest()
      }),
    leave: rest,
  }
  return clock
}
