import type { Role } from '#domain/membership.ts'
import type { Deps } from '../../deps.ts'
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
 * Why an import starts: on a schedule, as a hint that no person requested, or because a person with this role
 * asked. Without a role, an import may not start over.
 */
export type ImportOrigin = { isScheduled?: boolean; isHint?: boolean; askedBy?: Role }

export type StartDeps = Pick<Deps, 'database' | 'newId' | 'now' | 'enqueue'>

/**
 * Starts an import and enqueues it in one transaction. A run in progress is returned instead, and resumes if
 * it waited for the provider. Hints and recounts yield. A scheduled import waits where a person's import
 * would fail.
 */
export async function startImport(
  deps: StartDeps,
  organizationId: number,
  request: ImportRequest,
  origin: ImportOrigin = {},
): Promise<{ runId: string; isNew: boolean }> {
  if (request.mode === 'historical' && request.restart)
    requireManager(origin.askedBy ?? 'member', 'import everything anew')
  return inOrganization(deps.database, organizationId, async (tenant) => {
    if (!(await findConnection(tenant, 'payments'))) throw notConnected()
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

/** A full import reads everything a hint would and includes a recount, so both yield to it. */
async function makeWay(tenant: Tenant, at: Date): Promise<void> {
  await endHint(tenant, at)
  const run = await findRunInProgress(tenant)
  if (run?.kind === 'recount')
    await cancelRuns(tenant, at, 'An import was started, which goes on with it.', run.id)
}

/** Ends a hint's import that is in progress, because the new import reads the same and more. */
export async function endHint(tenant: Tenant, at: Date): Promise<void> {
  const run = await findRunInProgress(tenant)
  if (run?.kind !== 'import' || !readImportOptions(run.options).isHint) return
  await cancelRuns(tenant, at, 'What was asked for took its place.', run.id)
}
