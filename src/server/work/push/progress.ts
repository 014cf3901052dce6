import { unansweredText } from '#domain/provider-names.ts'
import type { Deps } from '../../deps.ts'
import type { OnHeard } from '../../providers/provider-error.ts'
import { type Claim, type RunProgress, reportProgress } from '../../store/runs/runs.ts'
import { createSilence } from '../runs/silence.ts'

/** Counts a push and reports its progress one report at a time, so that the figures never go back. */
export type PushProgress = {
  readonly counts: { total: number; processed: number; failed: number }
  enter(phase: string, message: string): Promise<void>
  plan(total: number): Promise<void>
  add(processed: number, failed: number): Promise<void>
  /** Says that the CRM does not answer, and with its next answer the phase again. */
  readonly onHeard: OnHeard
}

/** Counts on from what the run had settled before it was interrupted. */
export function createPushProgress(
  deps: Pick<Deps, 'database' | 'now'>,
  claim: Claim,
  before: { settled: number; failed: number },
): PushProgress {
  const counts = { total: before.settled, processed: before.settled, failed: before.failed }
  let last: Promise<void> = Promise.resolve()
  let said = ''
  const report = (progress: () => RunProgress) => {
    last = last.then(() => reportProgress(deps.database, claim, progress()))
    return last
  }
  return {
    counts,
    onHeard: createSilence(deps.now, (isSilent) => {
      // A lost run shows at its next write, and stops there.
      last = report(() => ({ message: isSilent ? unansweredText('crm') : said })).catch(() => {})
    }),
    enter(phase, message) {
      said = message
      return report(() => ({ phase, message }))
    },
    plan(total) {
      // What the look at the CRM left as it is was settled before.
      counts.total = counts.processed + total
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
