import type { Deps } from '../../../deps.ts'
import type { Tenant } from '../../../store/postgres/database.ts'
import { addRunErrors, addRunLog, type Claim, inRun } from '../../../store/runs/runs.ts'

/** Tells a person what was found changed in the CRM and put right, line by line, in the run's log. */
export type RepairReport = {
  mended(tenant: Tenant, line: string): Promise<void>
  /** What is not put right until it changes or a person acts. */
  parked(tenant: Tenant, sourceId: string | null, message: string): Promise<void>
  /** Says how many more there were than could be told. */
  close(): Promise<void>
}

/** Beyond this many log lines a list says nothing more; the details of a run show 200. Errors are told one and all. */
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
      if (more <= 0) return
      await inRun(deps.database, claim, (tenant) =>
        addRunLog(tenant, claim.runId, `${more} more things were found changed and put right.`, deps.now()),
      )
    },
  }
}
