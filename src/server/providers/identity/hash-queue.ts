import { Refusal } from '../../refusal.ts'

/** Hashing a password is slow by design and occupies a thread; Node has four of them. */
const places = { atOnce: 4, keptForKnown: 1, waitingMax: 60 }
const retryAfterSeconds = 5

export type HashQueue = <T>(isKnown: boolean, work: () => Promise<T>) => Promise<T>

/**
 * A few hash at a time, some wait, and the rest are asked to come again. Known devices have priority, a reserved
 * place and their own queue, so that a flood of strangers does not block them.
 */
export function createHashQueue({ atOnce, keptForKnown, waitingMax } = places): HashQueue {
  const running = { known: 0, strange: 0 }
  const waiting: Record<keyof typeof running, (() => void)[]> = { known: [], strange: [] }

  const isFree = (who: keyof typeof running) =>
    running.known + running.strange < atOnce && (who === 'known' || running.strange < atOnce - keptForKnown)

  function admitNext(): void {
    for (const who of ['known', 'strange'] as const) {
      while (isFree(who)) {
        const enter = waiting[who].shift()
        if (enter === undefined) break
        running[who] += 1
        enter()
      }
    }
  }

  return async (isKnown, work) => {
    const who = isKnown ? 'known' : 'strange'
    if (waiting[who].length >= waitingMax) {
      const text = 'Many people are signing in just now. Try again in a few seconds.'
      throw new Refusal('unavailable', text, retryAfterSeconds)
    }
    await new Promise<void>((enter) => {
      waiting[who].push(enter)
      admitNext()
    })
    try {
      return await work()
    } finally {
      running[who] -= 1
      admitNext()
    }
  }
}
