import { z } from 'zod'
import { cappedSum, listSum } from '../dashboard.ts'
import { endpoint } from '../endpoint.ts'
import { transaction } from '../events.ts'
import { counted, currency, instant, limit, page } from '../fields.ts'
import { subscription } from '../subscriptions.ts'

/**
 * Every subscription meets exactly one of these filters of its list. Where none is late, those in sync are those that the
 * status of the sync counts.
 */
export const healthFilters = {
  inSync: { isInHubspot: 'true', isFailing: 'false', isStale: 'false', isBehind: 'false' },
  notInHubspot: { isInHubspot: 'false', isFailing: 'false' },
  changed: { isInHubspot: 'true', isFailing: 'false', isStale: 'false', isBehind: 'true' },
  late: { isInHubspot: 'true', isFailing: 'false', isStale: 'true' },
  failing: { isFailing: 'true' },
} as const

/** Every event meets exactly one of these filters of its list. */
export const eventHealthFilters = {
  inSync: { isInHubspot: 'true', isFailing: 'false', isBehind: 'false' },
  notInHubspot: { isInHubspot: 'false', isFailing: 'false' },
  changed: { isInHubspot: 'true', isFailing: 'false', isBehind: 'true' },
  failing: { isFailing: 'true' },
} as const

/** At first, this many rows of each list are shown: those of most MRR. */
export const healthRows = 5
export const healthOrder = { sort: 'currentMrr', order: 'desc' } as const

const cappedCount = cappedSum.omit({ mrr: true })

/** How many of the rows without a record had one that somebody deleted in HubSpot. */
const deletedThere = { deleted: z.int() }

const refusal = {
  /** Why HubSpot refused the record; null where it gave no reason. */
  reason: z.string().nullable(),
  /** When it was last tried; null where that is not known. */
  triedAt: instant.nullable(),
}
const refusedSubscription = subscription.extend(refusal)
const refusedEvent = transaction.extend(refusal)
export type RefusedSubscription = z.output<typeof refusedSubscription>
export type RefusedEvent = z.output<typeof refusedEvent>

export const getSyncHealth = endpoint({
  method: 'GET',
  path: '/api/sync/health',
  access: 'member',
  summary:
    'What is in HubSpot, what waits, and what HubSpot refused. Each count is that of the list of the same rows, some up to 1,000.',
  response: z.object({
    /** The currency of every `mrr`. */
    reportingCurrency: currency,
    inSync: cappedSum,
    customersToMatch: listSum,
    notInHubspot: cappedSum.extend(deletedThere),
    /** Changed since their record was written, and not late yet. */
    changed: cappedSum,
    late: cappedSum,
    failing: cappedSum,
    events: z.object({
      inSync: cappedCount,
      notInHubspot: cappedCount.extend(deletedThere),
      changed: cappedCount,
      failing: cappedCount,
    }),
  }),
})
export type SyncHealth = z.output<typeof getSyncHealth.response>

const refusalReason = z.object({
  /** Names the reason in the calls for its records. */
  key: z.string(),
  /** What HubSpot said; null where it gave no reason. */
  reason: z.string().nullable(),
  subscriptions: z.int(),
  events: z.int(),
  /** How many of them every sync tries again; an automatic one tries the others only after a change. */
  due: z.int(),
})
export type RefusalReason = z.output<typeof refusalReason>

export const listRefusalReasons = endpoint({
  method: 'GET',
  path: '/api/sync/refusal-reasons',
  access: 'member',
  summary:
    'Why HubSpot refused records, each reason once with how many of them it has: those of most records first.',
  query: z.strictObject({ page, limit: limit(10) }),
  response: z.object({
    reasons: z.array(refusalReason),
    totalCount: z.int(),
    /** More records were refused than are sorted by their reasons. */
    isCapped: z.boolean(),
  }),
})

/** Those of one reason alone, by its key. */
const ofReason = {
  reason: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'is not the key of a reason')
    .optional(),
}

export const listRefusedSubscriptions = endpoint({
  method: 'GET',
  path: '/api/sync/refused-subscriptions',
  access: 'member',
  summary: 'The subscriptions whose records HubSpot refused, each with its reason: those of most MRR first.',
  query: z.strictObject({ page, limit: limit(10), ...ofReason }),
  response: z.object({ subscriptions: z.array(refusedSubscription), ...counted }),
})

export const listRefusedEvents = endpoint({
  method: 'GET',
  path: '/api/sync/refused-events',
  access: 'member',
  summary: 'The events whose records HubSpot refused, each with its reason, newest first.',
  query: z.strictObject({ page, limit: limit(10), ...ofReason }),
  response: z.object({ transactions: z.array(refusedEvent), ...counted }),
})
