import type { Deps } from '../deps.ts'
import { isDatabaseAway } from '../store/postgres/is-database-away.ts'

/** Milliseconds. */
const outageEveryMs = 60_000

/**
 * Logs the errors of the queue. While the database is away, its loops fail many times a second: a line a minute keeps the
 * earlier lines in the log.
 */
export function tellQueueErrors({ log, now }: Pick<Deps, 'log' | 'now'>): (error: unknown) => void {
  let toldAt: number | undefined
  let leftOut = 0
  return (error) => {
    if (isDatabaseAway(error)) {
      const at = now().getTime()
      if (toldAt !== undefined && Math.abs(at - toldAt) < outageEveryMs) {
        leftOut++
        return
      }
      toldAt = at
    }
    log.error({ error, ...(leftOut > 0 && { leftOut }) }, 'queue error')
    leftOut = 0
  }
}
