import { z } from 'zod'
import { movements } from '#domain/movement.ts'
import { segmentKinds } from '#domain/segment.ts'
import { currencyTotal } from './dashboard.ts'
import { endpoint } from './endpoint.ts'
import { cents, currency, day, id, instant, limit, page, rangeDays } from './fields.ts'
import { receipt } from './receipt.ts'

export const listMrrSnapshots = endpoint({
  method: 'GET',
  path: '/api/mrr/snapshots',
  access: 'member',
  summary: 'MRR in the reporting currency on the 1st of each month at 00:00 UTC, ascending by month.',
  response: z.object({
    reportingCurrency: currency,
    snapshots: z.array(
      z.object({
        month: z.string(),
        mrr: cents,
        activeSubscriptions: z.int(),
        otherCurrencies: z.array(currencyTotal),
      }),
    ),
  }),
})

export const getEventReceipt = endpoint({
  method: 'GET',
  path: '/api/mrr/receipts/{eventId}',
  access: 'member',
  summary: "Why the MRR after an event is what it is; `receipt` is null until the customer's next rebuild.",
  params: z.strictObject({ eventId: id }),
  response: z.object({
    eventId: z.string(),
    subscriptionId: z.string(),
    occurredAt: instant,
    previousMrr: cents,
    /** Equals previousMrr + mrrChange, and the sum of the receipt. */
    currentMrr: cents,
    mrrChange: cents,
    currency,
    receipt: receipt.nullable(),
    /** That of the MRR just before the change; null without an event before it in the subscription. */
    previousReceipt: receipt.nullable(),
    /** Whether parts changed at the same MRR, and so without an event, after the event before and before this one. */
    hasSilentChange: z.boolean(),
  }),
})

export const getSubscriptionReceipt = endpoint({
  method: 'GET',
  path: '/api/mrr/receipts/subscriptions/{id}',
  access: 'member',
  summary:
    "Why a subscription's current MRR is what it is; `receipt` is null until the customer's next rebuild.",
  params: z.strictObject({ id }),
  response: z.object({
    subscriptionId: z.string(),
    currentMrr: cents,
    currency,
    /** Says why no total includes the subscription; null when the totals include it. */
    unsupportedReason: z.string().nullable(),
    receipt: receipt.nullable(),
  }),
})

/** One kind of movement: what it changed, in minor units, and by how many events. */
const move = z.object({ movement: z.enum(movements), change: cents, events: z.int() })

/** MRR before some days, what moved it, and MRR after them: start + net + fx = end. */
const bridge = z.object({
  start: cents,
  moves: z.array(move),
  net: cents,
  /** What exchange rates moved; left out where no level is revalued. */
  fx: cents.optional(),
  end: cents,
})
export type BridgeAnswer = z.output<typeof bridge>

export const getMrrMovements = endpoint({
  method: 'GET',
  path: '/api/mrr/movements',
  access: 'member',
  summary: 'What moved MRR in the months or quarters of some UTC days; without days, since the first event.',
  query: z.strictObject({ ...rangeDays, interval: z.enum(['month', 'quarter']).default('month') }),
  response: z.object({
    currency,
    /** The days that the answer covers; null without any event. */
    from: day.nullable(),
    to: day.nullable(),
    periods: z.array(
      bridge.extend({
        /** '2026-10' or '2026-Q4'. */
        name: z.string(),
        from: day,
        to: day,
        isRunning: z.boolean(),
        /** Paying subscriptions at its end less those at its start. */
        paying: z.int(),
      }),
    ),
    total: bridge,
    /** Movements in currencies without a rate, each in its own; never added to the others. */
    otherCurrencies: z.array(bridge.extend({ currency })),
  }),
})
export type MovementsAnswer = z.output<typeof getMrrMovements.response>

const ratio = z.number().nullable()
const month = z.string()
/** Whether MRR has the rates of its days, so that it is more than its events; left out where it has not. */
const isRevalued = z.literal(true).optional()

export const getMrrRetention = endpoint({
  method: 'GET',
  path: '/api/mrr/retention',
  access: 'member',
  summary: 'Net and gross revenue retention over the last 1, 3 and 12 whole months up to a day, or to today.',
  query: z.strictObject({ to: rangeDays.to }),
  response: z.object({
    currency,
    isRevalued,
    retention: z.array(
      z.object({
        months: z.int(),
        /** The first and last month that are looked at. */
        from: month,
        to: month,
        /** MRR before them. The rest is about the customers who had paid before them. */
        start: cents,
        /** What those who pay more after the months than before pay more, and what the others pay less. */
        expansion: cents,
        contraction: cents,
        end: cents,
        /** end / start, and (start + contraction) / start; null without a start. */
        nrr: ratio,
        grr: ratio,
      }),
    ),
  }),
})
export type RetentionAnswer = z.output<typeof getMrrRetention.response>

export const getMrrCohorts = endpoint({
  method: 'GET',
  path: '/api/mrr/cohorts',
  access: 'member',
  summary: 'MRR and paying customers by the month of the first payment, at the end of each month since.',
  query: z.strictObject(rangeDays),
  response: z.object({
    currency,
    isRevalued,
    cohorts: z.array(
      z.object({
        /** The month of the first payment; empty for all customers before the first one shown. */
        cohort: month,
        cells: z.array(z.object({ month, mrr: cents, customers: z.int() })),
      }),
    ),
  }),
})
export type CohortsAnswer = z.output<typeof getMrrCohorts.response>

export const getMrrSegments = endpoint({
  method: 'GET',
  path: '/api/mrr/segments',
  access: 'member',
  summary: 'What moved the MRR of each segment in some UTC days, highest MRR first, a page at a time.',
  query: z.strictObject({
    ...rangeDays,
    by: z.enum(segmentKinds).default('product'),
    page,
    limit: limit(20),
  }),
  response: z.object({
    currency,
    by: z.enum(segmentKinds),
    segments: z.array(
      bridge.extend({
        /** The attribute of the subscription; empty where it has none. */
        value: z.string(),
        /** Its part of the MRR at the end; null without MRR. */
        share: ratio,
      }),
    ),
    totalCount: z.int(),
    /** All segments, also those of other pages. */
    total: bridge,
    otherCurrencies: z.array(bridge.extend({ currency })),
  }),
})
export type SegmentsAnswer = z.output<typeof getMrrSegments.response>
