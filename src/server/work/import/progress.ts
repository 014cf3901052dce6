import type { Deps } from '../../deps.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { countSlices } from '../../store/runs/run-slices.ts'
import { type Claim, findRun, reportProgress } from '../../store/runs/runs.ts'
import { type Begun, progressText } from './progress-text.ts'

/** What a person sees moves at most this often. */
const reportEveryMs = 1_000

export type ImportProgress = {
  enter(phase: string, counts?: { total?: number }): Promise<void>
  /** Something was read, here or by others; what is shown follows at the next second. */
  note(): void
  /** Objects that were read for the run by whomever, and those of them that could not be taken over. */
  totals(): Promise<{ done: number; failed: number }>
  /** Waits for what is being written. */
  settle(): Promise<void>
}

/** Writes how far a run has come to its row, seldom enough not to hold anybody up. */
export function createProgress(deps: Pick<Deps, 'database' | 'now'>, claim: Claim): ImportProgress {
  let reportedAt = 0
  const begun = new Map<string, Begun>()
  let reporting: Promise<void> = Promise.resolve()
  const read = () =>
    inOrganization(deps.database, claim.organizationId, async (tenant) => {
      const [counts, run] = await Promise.all([
        countSlices(tenant, claim.runId),
        findRun(tenant, claim.runId),
      ])
      const failed = run?.failed_records ?? 0
      return { counts, failed, done: counts.reduce((sum, { done }) => sum + done, 0) }
    })
  const report = async (): Promise<void> => {
    const { counts, done, failed } = await read()
    const atMs = deps.now().getTime()
    for (const { kind, done } of counts) if (!begun.has(kind)) begun.set(kind, { kind, done, atMs })
    const totals = counts.flatMap(({ total }) => total ?? [])
    const isKnown = totals.length > 0 && totals.length === counts.length
    const total = totals.reduce((sum, one) => sum + one, 0)
    await reportProgress(deps.database, claim, {
      processedRecords: done + failed,
      ...(isKnown && { totalRecords: Math.max(total, done) + failed }),
      message: progressText(counts, [...begun.values()], atMs),
    })
  }
  return {
    async enter(phase, counts = {}) {
      await reporting
      const { done, failed } = await read()
      await reportProgress(deps.database, claim, {
        phase,
        message: '',
        processedRecords: done + failed,
        ...(counts.total !== undefined && { totalRecords: counts.total }),
      })
    },
    note() {
      const at = deps.now().getTime()
      if (at - reportedAt < reportEveryMs) return
      reportedAt = at
      // A run that is lost shows at its next write, which is where it stops.
      reporting = reporting.then(report).catch(() => {})
    },
    async totals() {
      const { done, failed } = await read()
      return { done, failed }
    },
    settle: () => reporting,
  }
}
