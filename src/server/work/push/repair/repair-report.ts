import type { Deps } from '../../../deps.ts'
import type { Tenant } from '../../../store/postgres/database.ts'
import { addRunChanges } from '../../../store/runs/run-changes.ts'
import { addRunErrors, addRunLog } from '../../../store/runs/run-lines.ts'
import { type Claim, inRun } from '../../../store/runs/runs.ts'

/** Reports in the run's log what was changed in the CRM and corrected. */
export type RepairReport = {
  mended(tenant: Tenant, line: string): Promise<void>
  /** Reports what is not corrected until it changes or a person acts. */
  parked(tenant: Tenant, sourceId: string | null, message: string): Promise<void>
  /** Reports how many corrections had no line of their own. */
  close(): Promise<void>
}

/** More log lines would not help a reader, and the run's details show 200. Errors have no limit. */
const linesMax = 150

export function createRepairReport(deps: Pick<Deps, 'database' | 'now'>, claim: Claim): RepairReport {
  let mended = 0
  return {
    async mended(tenant, line) {
      if (++mended <= linesMax) await addRunLog(tenant, claim.runId, line, deps.now())
    },
    async parked(tenant, sourceId, message) {
      await addRunErrors(tenant, claim.runId, [{ sourceId, message }], deps.now())
    },
    async close() {
      const more = mended - linesMax
      if (mended === 0) return
      await inRun(deps.database, claim, async (tenant) => {
        const line = `${more} more things were found changed and put right.`
        if (more > 0) await addRunLog(tenant, claim.runId, line, deps.now())
        await addRunChanges(tenant, claim.runId, { links: mended })
      })
    },
  }
}
