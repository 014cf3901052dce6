import { z } from 'zod'
import { currencyTotal } from './dashboard.ts'
import { endpoint } from './endpoint.ts'
import { cents, currency, id, instant } from './fields.ts'
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
