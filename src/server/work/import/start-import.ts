import type { Role } from '#domain/membership.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../refusal.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { inOrganization, type Tenant } from '../../store/postgres/database.ts'
import { waitingPhase } from '../../store/runs/run-failures.ts'
import { cancelRuns, findRunInProgress, type RunStart, startRun } from '../../store/runs/runs.ts'
import { notConnected } from '../connections/payments-connection.ts'
import { requireManager } from '../organization/require-manager.ts'
import { endHint, endWaitingPush } from '../runs/give-way.ts'
import type { ImportOptions } from './import-options.ts'

export type ImportRequest =
  | { mode: 'historical'; restart?: boolean }
  | { mode: 'window'; from: Date; until: Date }

/**
 * Why an import starts: on a schedule, as a hint that no person requested, or because a person with this role
 * asked. Without a role, an import may not start over.
 */
export type ImportOrigin = { isScheduled?: boolean; isHint?: boolean; askedBy?: Role; start?: RunStart }

export type StartDeps = Pick<Deps, 'database' | 'payments' | 'newId' | 'now' | 'enqueue'>

/**
 * Starts an import and enqueues it in one transaction, or returns the run in progress; a waiting import resumes.
 * Hints and recounts yield, as does a waiting push to a scheduled import, which waits where a person's would fail.
 */
export async function startImport(
  deps: StartDeps,
  organizationId: number,
  request: ImportRequest,
  origin: ImportOrigin = {},
): Promise<{ runId: string; isNew: boolean }> {
  if (request.mode === 'historical' && request.restart)
    requireManager(origin.askedBy ?? 'member', 'import everything again')
  if (request.mode === 'window' && request.from > request.until)
    throw new Refusal('invalid_request', 'startDate: must not lie after endDate.')
  return inOrganization(deps.database, organizationId, async (tenant) => {
    if (!(await findConnection(tenant, 'payments'))) throw notConnected(deps)
    if (!origin.isHint) await makeWay(tenant, deps.now())
    if (origin.isScheduled) await endWaitingPush(tenant, deps.now())
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
      start: origin.start,
    })
    const isWaiting = run.kind === 'import' && run.phase === waitingPhase
    if (isNew || isWaiting) await deps.enqueue(tenant, { ...run, kind: 'import' })
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
