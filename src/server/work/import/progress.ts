import type { Deps } from '../../deps.ts'
import { type Claim, reportProgress } from '../../store/runs.ts'

/** What a person sees moves at most this often. */
const reportEveryMs = 1_000

export type Progress = {
  enter(phase: string, counts?: { done?: number; total?: number }): Promise<void>
  /** Counts objects of the running phase; what is shown follows at the next second. */
  add(counts: { done: number; failed?: number }): void
  totals(): { done: number; failed: number }
  /** Waits for what is being written. */
  settle(): Promise<void>
}

/** Counts what a run has done and writes it to its row, seldom enough not to hold anybody up. */
export function createProgress(
  deps: Pick<Deps, 'database' | 'now'>,
  claim: Claim,
  begun: { done: number; failed: number },
): Progress {
  let { done, failed } = begun
  let reportedAt = 0
  let reporting: Promise<void> = Promise.resolve()
  const report = (more: object = {}): Promise<void> =>
    reportProgress(deps.database, claim, { processedRecords: done + failed, failedRecords: failed, ...more })
  return {
    async enter(phase, counts = {}) {
      await reporting
      await report({ phase, ...(counts.total !== undefined && { totalRecords: counts.total }) })
    },
    add(counts) {
      done += counts.done
      failed += counts.failed ?? 0
      const at = deps.now().getTime()
      if (at - reportedAt < reportEveryMs) return
      reportedAt = at
      // A run that is lost shows at its next write, which is where it stops.
      reporting = reporting.then(() => report()).catch(() => {})
    },
    totals: () => ({ done, failed }),
    settle: () => reporting,
  }
}
