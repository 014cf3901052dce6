import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { waitingPhase } from '../../store/runs/run-failures.ts'
import { type RunStart, startRun } from '../../store/runs/runs.ts'
import { unanswered } from '../crm/with-crm.ts'
import { endHint } from '../runs/give-way.ts'

/** The options of a new push; PushOptions explains them. */
export type WantedPush = { retriesFailed: boolean; isScheduled?: boolean; isHint?: boolean }

/**
 * Starts a push or returns the running one; a waiting one continues at once. A person's push retries refused records
 * and fails on errors; a scheduled push skips unchanged refused records and waits instead. Hints yield.
 */
export function startPush(
  deps: Deps,
  organizationId: number,
  options: WantedPush = { retriesFailed: true },
  start?: RunStart,
): Promise<{ runId: string; isNew: boolean }> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const crm = await findConnection(tenant, 'crm')
    const payments = await findConnection(tenant, 'payments')
    if (!crm || !payments) {
      throw new Refusal(
        'not_connected',
        `Both ${deps.crm.name} and ${deps.payments.name} connections are required for sync.`,
      )
    }
    if (crm.earlier_account_id !== null) throw unanswered(deps, crm.earlier_account_id)
    if (!options.isHint) await endHint(tenant, deps.now())
    const { run, isNew } = await startRun(tenant, {
      id: deps.newId(),
      kind: 'push',
      options,
      at: deps.now(),
      start,
    })
    if (run.kind !== 'push') {
      throw new Refusal(
        'conflict',
        run.kind === 'recount'
          ? 'MRR is being recounted. The sync can start when that is done.'
          : 'An import is running. The sync can start when it is done.',
      )
    }
    if (isNew || run.phase === waitingPhase) await deps.enqueue(tenant, { ...run, kind: 'push' })
    return { runId: run.id, isNew }
  })
}
