import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { inOrganization } from '../../store/postgres/database.ts'
import { type RunStart, startRun } from '../../store/runs/runs.ts'
import { unanswered } from '../crm/with-crm.ts'
import { endHint } from '../runs/give-way.ts'
import { optionsOf } from '../runs/scheduled-run.ts'

/** A push of one part: what the CRM refused before, what is noted as due, or associations that a check found missing. */
export type RunPart =
  | { part: 'failed' | 'due'; retriesFailed: true }
  | { part: 'associations'; kinds: readonly string[] }

/** Whether a run is this part of a push. */
export function isPart(run: { options: unknown }, part: RunPart['part']): boolean {
  return optionsOf(run)['part'] === part
}

/**
 * Starts a part of a push. It never joins a running push, which would do something else. The process that started a
 * part works on it while a person waits; a worker does the others and continues interrupted ones.
 */
export function startPart(
  deps: Deps,
  organizationId: number,
  part: RunPart,
  start?: RunStart,
): Promise<string> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    const crm = await findConnection(tenant, 'crm')
    const payments = await findConnection(tenant, 'payments')
    if (!crm || !payments) {
      throw new Refusal(
        'not_connected',
        `Both ${deps.crm.name} and payment provider connections are required. Connect them on Data Sync.`,
      )
    }
    if (crm.earlier_account_id !== null) throw unanswered(deps, crm.earlier_account_id)
    await endHint(tenant, deps.now())
    const wanted = { id: deps.newId(), kind: 'push', options: part, at: deps.now(), start } as const
    const { run, isNew } = await startRun(tenant, wanted)
    if (!isNew) throw new Refusal('conflict', 'An import or sync is running. Try again when it has ended.')
    if (part.part !== 'associations') await deps.enqueue(tenant, { ...run, kind: 'push' })
    return run.id
  })
}
