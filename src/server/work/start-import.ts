import type { Deps } from '../deps.ts'
import { findConnection } from '../store/connections.ts'
import { inOrganization } from '../store/database.ts'
import { waitingPhase } from '../store/run-failures.ts'
import { startRun } from '../store/runs.ts'
import type { ImportOptions } from './import/import-options.ts'
import { notConnected } from './payments-connection.ts'

export type ImportRequest =
  | { mode: 'historical'; restart?: boolean }
  | { mode: 'window'; from: Date; until: Date }

/**
 * Starts an import and hands it to the workers, in one transaction. While a run is in progress that one is the answer:
 * an organization has one at a time, and one that waits for the provider goes on at once. A scheduled import is followed
 * by a push, and waits where a person's would fail.
 */
export function startImport(
  deps: Pick<Deps, 'database' | 'newId' | 'now' | 'enqueue'>,
  organizationId: number,
  request: ImportRequest,
  more: { isScheduled?: boolean } = {},
): Promise<{ runId: string; isNew: boolean }> {
  return inOrganization(deps.database, organizationId, async (tenant) => {
    if (!(await findConnection(tenant, 'payments'))) throw notConnected()
    const options: ImportOptions = {
      ...(request.mode === 'historical'
        ? { mode: 'historical', restart: request.restart ?? false }
        : { mode: 'window', from: request.from.toISOString(), until: request.until.toISOString() }),
      isScheduled: more.isScheduled ?? false,
    }
    const { run, isNew } = await startRun(tenant, {
      id: deps.newId(),
      kind: 'import',
      options,
      at: deps.now(),
    })
    const isWaiting = run.kind === 'import' && run.phase === waitingPhase
    if (isNew || isWaiting) await deps.enqueue(tenant, { id: run.id, kind: 'import' })
    return { runId: run.id, isNew }
  })
}
