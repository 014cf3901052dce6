import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, instant } from './fields.ts'

/** What a running import has counted so far; `total` is null until it is known. */
const phaseCount = z.object({ kind: z.string(), done: z.int(), total: z.int().nullable() })

export const importProgress = z.object({
  importId: z.string(),
  status: z.enum(['started', 'completed', 'failed']),
  /** A cancelled import has the status `failed`; this flag tells it from a real failure. */
  wasCancelled: z.boolean(),
  totalCustomers: z.int(),
  totalTransactions: z.int(),
  message: z.string(),
  phase: z.string().nullable(),
  counts: z.array(phaseCount),
})

export const startHistoricalImport = endpoint({
  method: 'POST',
  path: '/api/import/historical',
  access: 'member',
  audit: 'import_started',
  summary:
    'Imports the whole history from Stripe. A second call gets the running import. `restart` is for owners and admins.',
  body: z.strictObject({ restart: z.boolean().optional() }).optional(),
  response: z.object({
    success: z.boolean(),
    importId: z.string(),
    message: z.string(),
    totalCustomers: z.int(),
    totalTransactions: z.int(),
  }),
})

export const getHistoricalImportProgress = endpoint({
  method: 'GET',
  path: '/api/import/historical/{id}/progress',
  access: 'member',
  summary: 'How far an import has come.',
  params: z.strictObject({ id }),
  response: importProgress,
})

export const startImport = endpoint({
  method: 'POST',
  path: '/api/import/start',
  access: 'member',
  audit: 'import_started',
  summary: 'Imports what Stripe made in the window, and everything that changed since the last run.',
  body: z.strictObject({ startDate: instant, endDate: instant }),
  response: z.object({ importId: z.string() }),
})

export const getImportStatus = endpoint({
  method: 'GET',
  path: '/api/import/status',
  access: 'member',
  summary: 'The named import, or the newest one.',
  query: z.strictObject({ importId: id.optional() }),
  response: importProgress.nullable(),
})

/** At most this many late records are named. */
export const lateShownMax = 5

export const getFreshness = endpoint({
  method: 'GET',
  path: '/api/import/freshness',
  access: 'member',
  summary: 'Up to when the figures are complete, how long changes in Stripe took, and which took too long.',
  response: z.object({
    /**
     * The figures include everything that happened in Stripe before this instant; null before the first import has
     * ended.
     */
    freshAsOf: instant.nullable(),
    /**
     * How long changes took to reach the figures within the last 24 hours; null when there were no changes, and while Stripe
     * refuses the connection.
     */
    changes: z
      .object({
        count: z.int(),
        medianSeconds: z.int(),
        /** 95 of 100 changes took at most this long. */
        p95Seconds: z.int(),
        newestAt: instant,
      })
      .nullable(),
    /** The same for changes of subscriptions to their record in HubSpot; null also while HubSpot refuses the connection. */
    toHubspot: z.object({ count: z.int(), medianSeconds: z.int(), p95Seconds: z.int() }).nullable(),
    /** Seconds within which a change reaches its record, or the figures alone if automatic sync is off. */
    promisedSeconds: z.int(),
    /** Whether the key may read what changed. If not, only the automatic runs find it. */
    readsChanges: z.boolean(),
    /** When the next automatic run begins; null while there is none. */
    nextRunAt: instant.nullable(),
    /** When the last event of the webhook arrived, if changes came since that it did not announce; else null. */
    webhookSilentSince: instant.nullable(),
    /**
     * Why changes are not read as often as they should be: an import waits, as `reason` says; the last one failed; or
     * nothing began for long, as where no worker runs.
     */
    trouble: z
      .object({ cause: z.enum(['waits', 'failed', 'silent']), reason: z.string().nullable() })
      .nullable(),
    /** How many records took longer than that within the last 24 hours, and the latest of them. */
    lateCount: z.int(),
    late: z
      .array(
        z.object({
          subscriptionId: z.string(),
          name: z.string().nullable(),
          changedAt: instant,
          seconds: z.int(),
        }),
      )
      .max(lateShownMax),
  }),
})
