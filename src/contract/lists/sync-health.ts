import { z } from 'zod'
import { cappedSum, listSum } from '../dashboard.ts'
import { endpoint } from '../endpoint.ts'
import { transaction } from '../events.ts'
import { currency } from '../fields.ts'
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

/** So many rows of each list are shown at first, those of most MRR. */
export const healthRows = 5
export const healthOrder = { sort: 'currentMrr', order: 'desc' } as const

/** Why HubSpot refused the record; null where it gave no reason. */
const refusal = { reason: z.string().nullable() }
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
    notInHubspot: cappedSum,
    /** Changed since their record was written, and not late yet. */
    changed: cappedSum,
    late: cappedSum,
    failing: cappedSum,
    failingEvents: cappedSum.omit({ mrr: true }),
    /** The first rows of their lists. */
    firstFailing: z.array(refusedSubscription),
    firstFailingEvents: z.array(refusedEvent),
  }),
})
export type SyncHealth = z.output<typeof getSyncHealth.response>
