import type { Deps } from '../../deps.ts'
import { inOrganization } from '../../store/database.ts'
import { countSlices } from '../../store/run-slices.ts'
import { type Claim, reportProgress } from '../../store/runs.ts'

/** What a person sees moves at most this often. */
const reportEveryMs = 1_000

export type Progress = {
  enter(phase: string, counts?: { done?: number; total?: number }): Promise<void>
  /** Counts objects that were read; what is shown follows at the next second, with about how many there will be. */
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
  const reportWithTotal = async (): Promise<void> => {
    const counts = await inOrganization(deps.database, claim.organizationId, (tenant) =>
      countSlices(tenant, claim.runId),
    )
    const totals = counts.flatMap(({ total }) => total ?? [])
    const isKnown = totals.length > 0 && totals.length === counts.length
    const total = totals.reduce((sum, one) => sum + one, 0)
    await report(isKnown ? { totalRecords: Math.max(total, done + failed) } : {})
  }
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
      reporting = reporting.then(reportWithTotal).catch(() => {})
    },
    totals: () => ({ done, failed }),
    settle: () => reporting,
  }
}
