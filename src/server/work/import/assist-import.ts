import type { Deps } from '../../deps.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { findPlan } from '../../store/runs/import-plans.ts'
import { type Claim, findRun } from '../../store/runs/runs.ts'
import { findPayments, openPayments } from '../connections/payments-connection.ts'
import { knownAtOf, rebuildDue, rebuildingPhase } from '../ledger/rebuild-events.ts'
import { askedAfterOf } from './checkpoint.ts'
import { readWindows } from './read-windows.ts'

const lookEveryMs = 200

/**
 * Reads lists of an import beside the worker that claimed it. It writes under the same claim, so that a
 * cancellation stops both workers. Returns when no list is open; the windows count what was read.
 */
export async function assistImport(deps: Deps, claim: Claim, signal: AbortSignal): Promise<void> {
  const connection = await findPayments(deps, claim.organizationId)
  const plan = await inOrganization(deps.database, claim.organizationId, (tenant) =>
    findPlan(tenant, claim.runId),
  )
  if (!connection || !plan) return
  const reader = openPayments(deps, connection, signal)
  const context = { deps, claim, connection, reader, signal, askedAfter: askedAfterOf(plan) }
  await readWindows(context, { mode: plan.mode, onProgress: () => {} })
}

/**
 * Rebuilds customers beside the worker that claimed the import, once that worker begins to rebuild. Returns
 * when no customer is due.
 */
export async function assistRebuild(deps: Deps, claim: Claim, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { run, plan } = await inOrganization(deps.database, claim.organizationId, async (tenant) => ({
      run: await findRun(tenant, claim.runId),
      plan: await findPlan(tenant, claim.runId),
    }))
    if (run?.status !== 'in_progress') return
    if (plan && run.phase === rebuildingPhase)
      return rebuildDue({ deps, claim, signal }, knownAtOf(run, plan))
    await deps.sleep(lookEveryMs, signal)
  }
}
