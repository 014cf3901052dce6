import type { Deps } from '../../deps.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { isRecountDue } from '../../store/recount/recounts.ts'
import { findNewestRun, startRun } from '../../store/runs/runs.ts'

/** After a failure the next recount waits this long, because it would probably fail the same way. */
const retryAfterMs = 3_600_000

/** Starts the recount of an organization's ledger if one is due and no run is in progress. */
export function startRecount(deps: Deps, organizationId: number): Promise<{ isNew: boolean }> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    if (!(await isRecountDue(tenant))) return { isNew: false }
    const before = await findNewestRun(tenant, 'recount')
    const at = deps.now()
    // Below zero if the clock was put back since.
    const agoMs = at.getTime() - (before?.completed_at?.getTime() ?? 0)
    if (before?.status === 'failed' && agoMs >= 0 && agoMs < retryAfterMs) return { isNew: false }
    const { run, isNew } = await startRun(tenant, {
      id: deps.newId(),
      kind: 'recount',
      options: {},
      at,
      start: { by: 'rules' },
    })
    if (isNew) await deps.enqueue(tenant, { ...run, kind: 'recount' })
    return { isNew }
  })
}
