import { unansweredText } from '#domain/provider-names.ts'
import type { Deps } from '../../deps.ts'
import type { OnHeard } from '../../providers/provider-error.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { countImportedObjects } from '../../store/runs/import-counts.ts'
import { type Claim, findRun, reportProgress } from '../../store/runs/runs.ts'
import { type Begun, progressText } from '../runs/progress-text.ts'
import { createSilence } from '../runs/silence.ts'

/** The page updates the progress at most this often. */
const reportEveryMs = 1_000

export type ImportProgress = {
  enter(phase: string, counts?: { total?: number }): Promise<void>
  /** This or another worker has read something. At most once a second, the run's row shows it. */
  note(): void
  /** Says that the provider does not answer, until it does. */
  readonly onHeard: OnHeard
  /** Objects that all workers have read for the run, and the number that could not be imported. */
  totals(): Promise<{ done: number; failed: number }>
  /** Waits until the pending write ends. */
  settle(): Promise<void>
}

/** Writes a run's progress to its row, rarely enough that it delays no other write. */
export function createImportProgress(deps: Pick<Deps, 'database' | 'now'>, claim: Claim): ImportProgress {
  let reportedAt = 0
  let isSilent = false
  const begun = new Map<string, Begun>()
  let reporting: Promise<void> = Promise.resolve()
  const read = () =>
    inOrganization(deps.database, claim.organizationId, async (tenant) => {
      const counts = await countImportedObjects(tenant, claim.runId)
      const run = await findRun(tenant, claim.runId)
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
      message: isSilent ? unansweredText('payments') : progressText(counts, [...begun.values()], atMs),
    })
  }
  // Ignored: a lost run shows at its next write, and stops there.
  const reportNext = () => {
    reporting = reporting.then(report).catch(() => {})
  }
  return {
    onHeard: createSilence(deps.now, (isNowSilent) => {
      isSilent = isNowSilent
      reportNext()
    }),
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
      // The time can also be earlier: the clock may have been put back.
      if (Math.abs(at - reportedAt) < reportEveryMs) return
      reportedAt = at
      reportNext()
    },
    async totals() {
      const { done, failed } = await read()
      return { done, failed }
    },
    settle: () => reporting,
  }
}
