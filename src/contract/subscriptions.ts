import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { cents, counted, currency, day, id, instant, limit, page, search } from './fields.ts'
import { inOrder, notInOrder, subscriptionFilters } from './lists/list-filters.ts'

export const subscriptionSorts = [
  'updatedAt',
  'companyName',
  'currentMrr',
  'productName',
  'status',
  'customerName',
  'customerEmail',
  'quantity',
  'billingIntervalDays',
  'currentPeriodStart',
  'currentPeriodEnd',
  'nextRenewalDate',
] as const

export const subscription = z.object({
  subscriptionId: z.string(),
  companyName: z.string().nullable(),
  hubspotCompanyId: z.string().nullable(),
  hubspotCompanyLink: z.string().nullable(),
  portalId: z.string().nullable(),
  currentMrr: cents,
  currency,
  productName: z.string().nullable(),
  status: z.string(),
  customerName: z.string().nullable(),
  customerEmail: z.string().nullable(),
  customerDomain: z.string().nullable(),
  /** The customer's id in the payment provider. */
  customerId: z.string(),
  /** The erasure of the customer; null when the customer was not erased. */
  erasureId: z.string().nullable(),
  quantity: z.int().nullable(),
  billingIntervalDays: z.int().nullable(),
  /** The interval in words, from the price where it is known: 'Every 6 months'. */
  billingInterval: z.string().nullable(),
  currentPeriodStart: instant.nullable(),
  currentPeriodEnd: instant.nullable(),
  nextRenewalDate: day.nullable(),
  /** The last day of a subscription whose cancellation is planned; null without a plan. */
  endsOn: day.nullable(),
  /** The day on which the subscription ended; null while it lasts. */
  endedOn: day.nullable(),
  updatedAt: instant,
  /** The subscription's page in the payment provider's dashboard. */
  stripeLink: z.string().nullable(),
  /** Says why no total includes the subscription; null when the totals include it. */
  unsupportedReason: z.string().nullable(),
  /** MRR in the reporting currency, by which the list is sorted; null where no rate is known. */
  reportingMrr: cents.nullable(),
  reportingCurrency: currency,
  /** The rate of that amount in words; null where none was used. */
  rateText: z.string().nullable(),
})
export type Subscription = z.output<typeof subscription>

/** When the last change of a record happened in Stripe and reached us and HubSpot. */
export const recordFreshness = z.object({
  changedAt: instant,
  ledgerAt: instant,
  /** null while HubSpot lacks the change. */
  hubspotAt: instant.nullable(),
  promisedSeconds: z.int(),
  /** Whether it took or has taken longer than promised. */
  isLate: z.boolean(),
})
export type RecordFreshness = z.output<typeof recordFreshness>

/** A subscription's own record in HubSpot. */
const subscriptionRecord = z.object({
  /** `waiting`: not sent yet, or changed since; `removed`: somebody deleted it in HubSpot. */
  state: z.enum(['synced', 'waiting', 'failed', 'removed']),
  /** When HubSpot last confirmed it. */
  syncedAt: instant.nullable(),
  /** Why HubSpot refused it. */
  problem: z.string().nullable(),
  hubspotLink: z.string().nullable(),
  /** Whether a push is running, which may be about to change the state. */
  isSyncing: z.boolean(),
  /** Says why the record cannot be synced now; null when it can. */
  blockedBy: z.string().nullable(),
})
export type SubscriptionRecord = z.output<typeof subscriptionRecord>

const inSomeOrder = {
  sort: z.enum(subscriptionSorts).default('updatedAt'),
  order: z.enum(['asc', 'desc']).default('desc'),
}

export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/api/stripe/subscriptions',
  access: 'member',
  summary: 'Subscriptions of the organization that meet all filters, a page at a time.',
  query: z
    .strictObject({ page, limit: limit(20), search, ...subscriptionFilters, ...inSomeOrder })
    .refine(inOrder, notInOrder),
  response: z.object({ subscriptions: z.array(subscription), ...counted }),
})

export type SubscriptionListQuery = z.output<typeof listSubscriptions.query>

export const exportSubscriptions = endpoint({
  method: 'GET',
  path: '/api/csv/subscriptions',
  access: 'member',
  answers: 'file',
  summary: 'All subscriptions that meet search and filters as a CSV file, in the order of the list.',
  query: z.strictObject({ search, ...subscriptionFilters, ...inSomeOrder }).refine(inOrder, notInOrder),
  response: z.any(),
})

export const sumSubscriptions = endpoint({
  method: 'GET',
  path: '/api/stripe/subscription-sums',
  access: 'member',
  summary: 'What the subscriptions that meet all filters come to: their number and their current MRR.',
  query: z.strictObject({ search, ...subscriptionFilters }).refine(inOrder, notInOrder),
  response: z.object({
    /** All subscriptions, in any currency. */
    totalCount: z.int(),
    /** The currency of `mrr`. */
    currency,
    mrr: cents,
    /** MRR in currencies that are not added to `mrr`. */
    otherCurrencies: z.array(z.object({ currency, mrr: cents, subscriptions: z.int() })),
  }),
})
export type SubscriptionSums = z.output<typeof sumSubscriptions.response>

export const getSubscription = endpoint({
  method: 'GET',
  path: '/api/stripe/subscriptions/{id}',
  access: 'member',
  summary: 'One subscription, and how fresh its record is.',
  params: z.strictObject({ id }),
  response: subscription.extend({
    /** How fresh its record is; null if it has not changed since the first import. */
    freshness: recordFreshness.nullable(),
    /** What is known of its record in HubSpot; null if HubSpot was never connected. */
    record: subscriptionRecord.nullable(),
  }),
})
