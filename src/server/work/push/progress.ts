import type { Deps } from '../../deps.ts'
import { type Claim, type RunProgress, reportProgress } from '../../store/runs/runs.ts'

/** Counts a push and reports its progress one report at a time, so that the figures never go back. */
export type PushProgress = {
  readonly counts: { total: number; processed: number; failed: number }
  enter(phase: string, message: string): Promise<void>
  plan(total: number): Promise<void>
  add(processed: number, failed: number): Promise<void>
}

export function createPushProgress(
  deps: Pick<Deps, 'database'>,
  claim: Claim,
  before: { settled: number; failed: number },
): PushProgress {
  const counts = { total: before.settled, processed: before.settled, failed: before.failed }
  let last: Promise<void> = Promise.resolve()
  const report = (progress: () => RunProgress) => {
    last = last.then(() => reportProgress(deps.database, claim, progress()))
    return last
  }
  return {
    counts,
    enter: (phase, message) => report(() => ({ phase, message })),
    plan(total) {
      counts.total = before.settled + total
      return report(() => ({
        totalRecords: counts.total,
        processedRecords: counts.processed,
        failedRecords: counts.failed,
      }))
    },
    add(processed, failed) {
      counts.processed += processed
      counts.failed += failed
      return report(() => ({ processedRecords: counts.processed, failedRecords: counts.failed }))
    },
  }
}
