import type { Role } from '#domain/membership.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { waitingPhase } from '../../store/runs/run-failures.ts'
import { cancelRuns, findRunInProgress, startRun } from '../../store/runs/runs.ts'
import { notConnected } from '../connections/payments-connection.ts'
import { requireManager } from '../organization/require-manager.ts'
import { type ImportOptions, readImportOptions } from './import-options.ts'

export type ImportRequest =
  | { mode: 'historical'; restart?: boolean }
  | { mode: 'window'; from: Date; until: Date }

/**
 * How an import comes to be: by the clock, as a look at what changed that nobody asked for, or because somebody in this
 * role asks. Who is not named may not begin anew.
 */
export type ImportOrigin = { isScheduled?: boolean; isHint?: boolean; askedBy?: Role }

export type StartDeps = Pick<Deps, 'database' | 'payments' | 'newId' | 'now' | 'enqueue'>

/**
 * Starts an import and hands it to the workers, in one transaction. While a run is in progress that one is the answer:
 * an organization has one at a time, and one that waits for the provider goes on at once. A hint's import makes way. A
 * scheduled import is followed by a push, and waits where a person's would fail.
 */
export async function startImport(
  deps: StartDeps,
  organizationId: number,
  request: ImportRequest,
  origin: ImportOrigin = {},
): Promise<{ runId: string; isNew: boolean }> {
  if (request.mode === 'historical' && request.restart)
    requireManager(origin.askedBy ?? 'member', 'import everything anew')
  if (request.mode === 'window' && request.from > request.until)
    throw new Refusal('invalid_request', 'startDate: must not lie after endDate.')
  return inOrganization(deps.database, organizationId, async (tenant) => {
    if (!(await findConnection(tenant, 'payments'))) throw notConnected(deps)
    if (!origin.isHint) await makeWay(tenant, deps.now())
    const options: ImportOptions = {
      ...(request.mode === 'historical'
        ? { mode: 'historical', restart: request.restart ?? false }
        : { mode: 'window', from: request.from.toISOString(), until: request.until.toISOString() }),
      isScheduled: origin.isScheduled ?? false,
      isHint: origin.isHint ?? false,
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

/** An import reads what a hint's would and more, and goes on with a recount: so either makes way for it. */
async function makeWay(tenant: Tenant, at: Date): Promise<void> {
  await endHint(tenant, at)
  const run = await findRunInProgress(tenant)
  if (run?.kind === 'recount')
    await cancelRuns(tenant, at, 'An import was started, which goes on with it.', run.id)
}

/** Ends the import of a hint, if one is in progress: what is asked for now reads the same and more. */
export async function endHint(tenant: Tenant, at: Date): Promise<void> {
  const run = await findRunInProgress(tenant)
  if (run?.kind !== 'import' || !readImportOptions(run.options).isHint) return
  await cancelRuns(tenant, at, 'What was asked for took its place.', run.id)
}
