import type { Deps } from '../deps.ts'
import { isClaimHeld } from '../store/runs/run-failures.ts'
import { type Claim, RunLost } from '../store/runs/runs.ts'

const watchEveryMs = 2_000
/** After this number of unanswered looks (8 s), other workers are about to consider this one dead. */
const unansweredMax = 4

/**
 * Checks every two seconds whether the run was cancelled or claimed again, so that waiting work stops. It
 * also stops after too many unanswered checks, since another worker may have claimed the run by then.
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
