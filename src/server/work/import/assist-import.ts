import type { Deps } from '../../deps.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { listSlices } from '../../store/runs/run-slices.ts'
import { type Claim, findRun } from '../../store/runs/runs.ts'
import { findPayments, openPayments } from '../connections/payments-connection.ts'
import { knownAtOf, rebuildDue, rebuildingPhase } from '../ledger/rebuild-events.ts'
import { askedAfterOf, importSliceOf, type PlanState, planOf, readSliceState } from './import-slice.ts'
import { readWindows } from './read-windows.ts'

const lookEveryMs = 200

/**
 * Reads lists of an import beside the worker that claimed it. It writes under the same claim, so that a
 * cancellation stops both workers. Returns when no list is open; the slices count what was read.
 */
export async function assistImport(deps: Deps, claim: Claim, signal: AbortSignal): Promise<void> {
  const connection = await findPayments(deps, claim.organizationId)
  if (!connection) return
  const askedAfter = askedAfterOf(await readPlan(deps, claim))
  await readWindows(
    { deps, claim, connection, reader: openPayments(deps, connection, signal), signal, askedAfter },
    {
      onSaved: () => {},
      onLook: () => undefined,
      isHistoryHeldBack: (isCurrentLong) => isCurrentLong !== false,
    },
  )
}

/**
 * Rebuilds customers beside the worker that claimed the import, once that worker begins to rebuild. Returns
 * when no customer is due.
 */
export async function assistRebuild(deps: Deps, claim: Claim, signal: AbortSignal): Promise<void> {
  for (;;) {
    const run = await inOrganization(deps.database, claim.organizationId, (tenant) =>
      findRun(tenant, claim.runId),
    )
    if (run?.status !== 'in_progress') return
    if (run.phase === rebuildingPhase) {
      return rebuildDue({ deps, claim, signal }, knownAtOf(run, await readPlan(deps, claim)))
    }
    await deps.sleep(lookEveryMs, signal)
  }
}

async function readPlan({ database }: Pick<Deps, 'database'>, claim: Claim): Promise<PlanState['plan']> {
  const slices = await inOrganization(database, claim.organizationId, (tenant) =>
    listSlices(tenant, claim.runId, readSliceState),
  )
  return planOf(slices.map(importSliceOf))
}
