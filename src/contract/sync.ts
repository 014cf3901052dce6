import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { done, id, instant, limit, page } from './fields.ts'
import { filterDay } from './lists/list-filters.ts'
import { runFailure } from './runs/run-failure.ts'

export const jobStatuses = ['in_progress', 'completed', 'failed', 'cancelled'] as const

/**
 * 'import' reads from Stripe, 'sync' writes to HubSpot, 'recount' calculates MRR again after its rules have changed.
 */
export const jobTypes = ['import', 'sync', 'recount'] as const

/** What started a run, with the person's name where one did and still has an account. */
export const starters = ['person', 'schedule', 'webhook', 'import', 'rules'] as const

/** Another run beside one. */
const runPlace = z.object({ id: z.string(), createdAt: instant })

/** What explains a run. Each part is null where it was not noted, as for runs of earlier releases. */
const explanation = {
  startedBy: z.object({ kind: z.enum(starters), name: z.string().nullable() }).nullable(),
  /** What changed: here for an import, in HubSpot for a sync. `links` are between records, corrections included. */
  changes: z
    .object({
      subscriptions: z.int(),
      events: z.int(),
      links: z.int(),
      /** Created in HubSpot by a sync, beside the records; null in runs of earlier releases. */
      companies: z.int().nullable(),
      contacts: z.int().nullable(),
    })
    .nullable(),
  /** The import that a sync carries on, and the sync that carried on an import. */
  follows: runPlace.nullable(),
  followedBy: runPlace.nullable(),
}

/** One import, push or recount in Sync History. */
export const history = z.object({
  ...explanation,
  id: z.string(),
  type: z.enum(jobTypes),
  status: z.enum(jobStatuses),
  createdAt: instant,
  completedAt: instant.nullable(),
  processedRecords: z.int(),
  errorCount: z.int(),
  /** Why it failed; null for a run that did not, and where no reason was given. */
  reason: z.string().nullable(),
})

/** A completed run without errors that changed nothing can be left out. Days (UTC) of the start are both included. */
export const runFilters = {
  type: z.enum(jobTypes).optional(),
  status: z.enum(jobStatuses).optional(),
  /** Those that failed, and those with errors. */
  errors: z.literal('with').optional(),
  startedFrom: filterDay,
  startedTo: filterDay,
  unchanged: z.enum(['show', 'hide']).optional(),
}

export const listSyncHistory = endpoint({
  method: 'GET',
  path: '/api/sync/history',
  access: 'member',
  summary: 'Imports, pushes and recounts, newest first.',
  query: z.strictObject({ page, limit: limit(10), ...runFilters }),
  response: z.object({
    histories: z.array(history),
    pagination: z.object({ total: z.int(), totalPages: z.int() }),
    /** How many runs of these filters are left out because they changed nothing. */
    hiddenCount: z.int(),
  }),
})

export type RunFilters = z.output<typeof exportSyncHistory.query>

export const exportSyncHistory = endpoint({
  method: 'GET',
  path: '/api/csv/sync-history',
  access: 'member',
  answers: 'file',
  summary: 'All imports, pushes and recounts of these filters as a CSV file, newest first.',
  query: z.strictObject(runFilters),
  response: z.any(),
})

/**
 * A run shows at most this many of its newest errors and log lines, so that the answer stays small. A file holds all
 * errors.
 */
export const errorDetailsMax = 200

/** A run with its errors and log lines. Successful = processed - failed. */
export const job = z.object({
  ...explanation,
  id: z.string(),
  type: z.enum(jobTypes),
  status: z.enum(jobStatuses),
  phase: z.string().nullable(),
  totalRecords: z.int(),
  processedRecords: z.int(),
  successfulRecords: z.int(),
  failedRecords: z.int(),
  message: z.string(),
  error: z.string().nullable(),
  createdAt: instant,
  processedAt: instant.nullable(),
  errorCount: z.int(),
  errorDetails: z.array(
    z.object({ sourceId: z.string().nullable(), errorMessage: z.string().nullable(), createdAt: instant }),
  ),
  logs: z.array(z.string()),
  /** Where it failed; null for a run that did not, and of an earlier release. */
  failure: runFailure.nullable(),
  /** How many of its kept records had links changed. `isCut`: of more records than are kept. */
  linked: z.object({ subscriptions: z.int(), events: z.int(), isCut: z.boolean() }),
})

export const getImportJob = endpoint({
  method: 'GET',
  path: '/api/sync/import-status/{id}',
  access: 'member',
  summary: 'One import, push or recount with its errors and log.',
  params: z.strictObject({ id }),
  response: job,
})

export const exportRunErrors = endpoint({
  method: 'GET',
  path: '/api/sync/import-status/{id}/errors',
  access: 'member',
  answers: 'file',
  summary: 'Every error of one import, push or recount as a CSV file.',
  params: z.strictObject({ id }),
  response: z.any(),
})

/**
 * What a failed run means now. failed: its kind has not succeeded since. reconnected: its provider was connected again
 * since, so that the next run may succeed.
 */
export const runProblem = z.enum(['failed', 'reconnected'])
export type RunProblem = z.output<typeof runProblem>

/** Says how a run ended. */
const runOutcome = z.object({
  id: z.string(),
  status: z.enum(jobStatuses),
  message: z.string(),
  endedAt: instant,
  changes: explanation.changes,
  /** null if it did not fail, and while its provider is not connected or refuses the connection, which is told instead. */
  problem: runProblem.nullable(),
})

export const getSyncStatus = endpoint({
  method: 'GET',
  path: '/api/sync/status',
  access: 'member',
  summary: 'How many records exist and how many of them stand in HubSpot as they are here.',
  response: z.object({
    totalSubscriptions: z.int(),
    totalTransactions: z.int(),
    syncedSubscriptions: z.int(),
    syncedTransactions: z.int(),
    errorCount: z.int(),
    lastSyncDate: instant.nullable(),
    /** The run that is in progress; null when there is none. */
    runningImportId: z.string().nullable(),
    runningSyncId: z.string().nullable(),
    /** The newest run of each kind that completed or failed. */
    lastImport: runOutcome.nullable(),
    lastSync: runOutcome.nullable(),
  }),
})

export const syncStates = [
  'synced',
  'waiting',
  'incomplete',
  'imported',
  'running',
  'failed',
  'reconnected',
  'refused',
  'not_connected',
  'no_hubspot',
  'no_stripe',
  'undecided',
  'objects_missing',
  'never',
] as const

export const getSyncState = endpoint({
  method: 'GET',
  path: '/api/sync/state',
  access: 'member',
  summary: 'How the last import or push ended, for the line that every screen shows.',
  response: z.object({
    /**
     * 'refused': a provider no longer accepts our key or tokens. 'incomplete': HubSpot refused some records. 'imported':
     * it holds none. 'undecided': a person has to say whether another HubSpot account is meant. 'objects_missing': the
     * custom objects are.
     */
    state: z.enum(syncStates),
    /** What goes on in the state 'running'; null in others. */
    running: z.enum(['import', 'push']).nullable(),
    /** How many subscriptions and events wait for the next sync; 0 in other states than 'waiting'. */
    waitingRecords: z.int(),
    /** Whether changes are synced by themselves. 'paused': only once the setup is finished. 'off': a person switched it off. */
    automatic: z.enum(['on', 'paused', 'off']),
    /** The providers that no longer accept our key or tokens. */
    refused: z.array(z.enum(['hubspot', 'stripe'])),
    /** When the newest import or push that succeeded ended. */
    lastCompletedAt: instant.nullable(),
  }),
})
export type SyncState = z.output<typeof getSyncState.response>

export const pushAll = endpoint({
  method: 'POST',
  path: '/api/sync/push-all',
  access: 'member',
  audit: 'push_started',
  summary:
    'Pushes everything that HubSpot does not hold yet. A second call gets the running push. `follows` names the import that it carries on.',
  body: z.strictObject({ follows: id.optional() }).optional(),
  response: z.object({ importId: z.string() }),
})

export const retryFailed = endpoint({
  method: 'POST',
  path: '/api/sync/retry-failed',
  audit: 'push_started',
  access: 'member',
  summary: 'Pushes again only what HubSpot refused before, refused contacts included.',
  response: z.object({ importId: z.string() }),
})

export const syncSubscription = endpoint({
  method: 'POST',
  path: '/api/stripe/subscriptions/{id}/sync',
  access: 'member',
  audit: 'push_started',
  summary: "Pushes the records of one subscription's customer, and what else is due; refused ones again.",
  params: z.strictObject({ id }),
  response: z.object({ importId: z.string() }),
})

export const getPushStatus = endpoint({
  method: 'GET',
  path: '/api/sync/status/{importId}',
  access: 'member',
  summary: 'How far a push has come.',
  params: z.strictObject({ importId: id }),
  response: job,
})

export const cancelRun = endpoint({
  method: 'POST',
  path: '/api/sync/cancel/{id}',
  access: 'member',
  audit: 'run_cancelled',
  summary: 'Stops a running import or push within seconds; what is done stays.',
  params: z.strictObject({ id }),
  response: done,
})
