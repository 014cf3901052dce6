import type { Deps } from '../deps.ts'
import { isClaimHeld } from '../store/runs/run-failures.ts'
import { type Claim, RunLost } from '../store/runs/runs.ts'

const watchEveryMs = 2_000
/** Looks that may stay unanswered: after these 8 s others are about to take the silent worker for dead. */
const unansweredMax = 4

/**
 * Looks every two seconds whether the run was cancelled or taken over, so that waiting work stops as well. Without an
 * answer for too long the work stops too, since another worker may be at it by then.
 */
export function watchClaim(deps: Deps, claim: Claim): { signal: AbortSignal; stop: () => void } {
  const lost = new AbortController()
  let unanswered = 0
  const timer = setInterval(() => {
    if (unanswered >= unansweredMax) lost.abort(new Error('The database has not answered for too long.'))
    unanswered += 1
    isClaimHeld(deps.database, claim).then(
      (isHeld) => {
        unanswered = 0
        if (!isHeld) lost.abort(new RunLost())
      },
      () => {},
    )
  }, watchEveryMs)
  timer.unref()
  return { signal: lost.signal, stop: () => clearInterval(timer) }
}
