import type { ResponseOf } from '#contract/endpoint.ts'
import type { getHistoricalImportProgress } from '#contract/imports.ts'
import { type RunFailure, runFailure } from '#contract/runs/run-failure.ts'
import {
  errorDetailsMax,
  type getImportJob,
  type getSyncStatus,
  history,
  job,
  type listSyncHistory,
  type RunFilters,
} from '#contract/sync.ts'
import type { Session } from '../../providers/identity.ts'
import { Refusal } from '../../refusal.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { countImportedObjects } from '../../store/runs/import-counts.ts'
import { listRunDetails } from '../../store/runs/run-details.ts'
import type { ListedRun, RunFilter, RunPlace } from '../../store/runs/run-list.ts'
import { findListedRun } from '../../store/runs/run-list.ts'
import { countLinkedRecords } from '../../store/runs/run-records.ts'
import type { Run, RunKind, RunStart } from '../../store/runs/runs.ts'
import { countRecords } from '../../store/setup/setup-facts.ts'
import type { LastRun } from '../sync-standing.ts'

type History = ResponseOf<typeof listSyncHistory>['histories'][number]
type Job = ResponseOf<typeof getImportJob>
type Outcome = NonNullable<ResponseOf<typeof getSyncStatus>['lastSync']>
type ImportProgress = ResponseOf<typeof getHistoricalImportProgress>

/**
 * Finds a run of the caller's organization. One of another organization gets the same answer as one that does not
 * exist.
 */
export async function getRun(tenant: Tenant, id: string): Promise<ListedRun> {
  const run = await findListedRun(tenant, id)
  if (run === undefined)
    throw new Refusal('not_found', 'There is no such import or sync. Look for it in Sync History.')
  return run
}

/**
 * Refuses when the run in progress is of another kind. An organization has one run at a time, and a person who
 * starts an import must not see the progress of a push.
 */
export async function requireKind(tenant: Tenant, id: string, kind: RunKind): Promise<void> {
  const run = await getRun(tenant, id)
  if (run.kind === kind) return
  const running = { import: 'An import', sync: 'A sync to HubSpot', recount: 'A recount of MRR' }[typeOf(run)]
  throw new Refusal('conflict', `${running} is running. Try again when it has ended.`)
}

/** Refuses any run but an import that has completed, since no other has read what a sync carries on. */
export async function requireCompletedImport(tenant: Tenant, id: string): Promise<void> {
  const { kind, status } = await getRun(tenant, id)
  if (kind === 'import' && status === 'completed') return
  throw new Refusal('invalid_request', 'Choose an import that has completed, or leave `follows` out.')
}

/** Which runs a call of Sync History asks for. */
export function filterOf({ type, errors, unchanged, ...filter }: RunFilters): RunFilter {
  return {
    ...filter,
    kind: type === 'sync' ? 'push' : type,
    hasErrors: errors === 'with',
    hidesUnchanged: unchanged === 'hide',
  }
}

/** The start of a run that the caller of a call asked for. */
export const byPerson = ({ user }: Session): RunStart => ({ by: 'person', userId: user.id })

/** The name that the wire uses for the kind of a run. */
const typeOf = ({ kind }: Run): Job['type'] => (kind === 'import' || kind === 'recount' ? kind : 'sync')
const statusOf = (run: Pick<Run, 'status'>) => job.shape.status.parse(run.status)
const starterOf = history.shape.startedBy.unwrap().shape.kind

const explanationOf = (run: ListedRun) => ({
  startedBy:
    run.started_by === null ? null : { kind: starterOf.parse(run.started_by), name: run.startedByName },
  changes: changesOf(run),
  follows: toPlace(run.follows),
  followedBy: toPlace(run.followedBy),
})

const toPlace = (place: RunPlace | null) =>
  place && { id: place.id, createdAt: place.createdAt.toISOString() }

function changesOf(run: LastRun['run'] | Run): History['changes'] {
  const { changed_subscriptions, changed_events, changed_links } = run
  if (changed_subscriptions === null || changed_events === null || changed_links === null) return null
  return {
    ...{ subscriptions: changed_subscriptions, events: changed_events, links: changed_links },
    ...{ companies: run.created_companies, contacts: run.created_contacts },
  }
}

/** The line of a run in Sync History. */
export function toHistory(run: ListedRun): History {
  return {
    ...explanationOf(run),
    id: run.id,
    type: typeOf(run),
    status: statusOf(run),
    createdAt: run.created_at.toISOString(),
    completedAt: run.completed_at?.toISOString() ?? null,
    processedRecords: run.processed_records,
    errorCount: run.failed_records,
    reason: run.status === 'failed' ? (run.error ?? run.message) || null : null,
  }
}

/** How the last run of a kind ended, for the screen that starts it. */
export function toOutcome(last: LastRun | undefined): Outcome | null {
  if (last === undefined) return null
  const { run, problem } = last
  return {
    id: run.id,
    status: statusOf(run),
    message: run.error ?? run.message,
    endedAt: run.completed_at.toISOString(),
    changes: changesOf(run),
    problem,
  }
}

/** A run with its newest errors and log lines. */
export async function readJob(tenant: Tenant, run: ListedRun): Promise<Job> {
  const { errors, logs } = await listRunDetails(tenant, run.id, errorDetailsMax)
  return {
    ...explanationOf(run),
    id: run.id,
    type: typeOf(run),
    status: statusOf(run),
    phase: run.phase,
    totalRecords: run.total_records,
    processedRecords: run.processed_records,
    successfulRecords: run.processed_records - run.failed_records,
    failedRecords: run.failed_records,
    message: run.message,
    error: run.error,
    createdAt: run.created_at.toISOString(),
    processedAt: run.completed_at?.toISOString() ?? null,
    errorCount: run.failed_records,
    errorDetails: errors.map((error) => ({
      sourceId: error.source_id,
      errorMessage: error.message,
      createdAt: error.created_at.toISOString(),
    })),
    logs: logs.map(({ line, created_at }) => `${created_at.toISOString()} ${line}`),
    failure: failureOf(run),
    linked: await countLinkedRecords(tenant, run.id),
  }
}

function failureOf({ failed_phase: phase, failed_request: request }: Run): RunFailure | null {
  if (request === null) return null
  const isEmpty = Object.keys(request).length === 0
  return runFailure.parse({ phase, request: isEmpty ? null : request })
}

/** The progress of an import. A cancelled import counts as failed, because this call has only three states. */
export async function readImportProgress(tenant: Tenant, run: Run): Promise<ImportProgress> {
  const counts = await countRecords(tenant)
  return {
    importId: run.id,
    status: run.status === 'in_progress' ? 'started' : run.status === 'completed' ? 'completed' : 'failed',
    wasCancelled: run.status === 'cancelled',
    totalCustomers: counts.customers,
    totalTransactions: counts.events,
    message: run.error ?? run.message,
    phase: run.phase,
    counts: await countImportedObjects(tenant, run.id),
  }
}
