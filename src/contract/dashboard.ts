import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { transaction } from './events.ts'
import { cents, currency, day, instant } from './fields.ts'
import { jobTypes, runProblem } from './sync.ts'

/** MRR in a currency that the total does not include, because no rate is known. */
export const currencyTotal = z.object({ currency, mrr: cents, activeSubscriptions: z.int() })

export const getDashboardStats = endpoint({
  method: 'GET',
  path: '/api/dashboard/stats',
  access: 'member',
  summary:
    'Current MRR in the reporting currency and the active subscriptions; beside it what has no rate, never added.',
  response: z.object({
    currentMrr: cents,
    /** The currency of `currentMrr`. */
    reportingCurrency: currency,
    activeSubscriptions: z.int(),
    /** All active ones, as the list counts them: also those without MRR and in other currencies. */
    activeInList: z.int(),
    /** Subscriptions of any status that contribute to `currentMrr`. */
    payingSubscriptions: z.int(),
    otherCurrencies: z.array(currencyTotal),
    /** Whether amounts still wait for a new currency or new rates, so that totals mix both; left out otherwise. */
    isConverting: z.literal(true).optional(),
    /** Whether they wait for a new currency, so that `currentMrr` is not yet an amount of it; left out otherwise. */
    isCurrencyChanging: z.literal(true).optional(),
    unsupportedSubscriptions: z.int(),
    /** Invoices of Stripe's Billing v2 and their amounts. No figure includes them. */
    billedByBillingV2: z.object({
      invoices: z.int(),
      amounts: z.array(z.object({ currency, amount: cents })),
    }),
  }),
})

export const getRecentTransactions = endpoint({
  method: 'GET',
  path: '/api/dashboard/recent-transactions',
  access: 'member',
  summary: 'The five newest changes of MRR.',
  response: z.object({ transactions: z.array(transaction) }),
})

export const getUpcomingRenewals = endpoint({
  method: 'GET',
  path: '/api/dashboard/upcoming-renewals',
  access: 'member',
  summary: 'The five next renewals.',
  response: z.object({
    renewals: z.array(
      z.object({
        nextRenewalDate: day,
        companyName: z.string().nullable(),
        customerId: z.string(),
        hubspotCompanyLink: z.string().nullable(),
        productName: z.string().nullable(),
        status: z.string(),
        currentMrr: cents,
        currency,
        /** MRR in the reporting currency; null where no rate is known. */
        reportingMrr: cents.nullable(),
        reportingCurrency: currency,
        /** The rate of that amount in words; null where none was used. */
        rateText: z.string().nullable(),
        subscriptionId: z.string(),
      }),
    ),
  }),
})

export const getMrrTrend = endpoint({
  method: 'GET',
  path: '/api/dashboard/mrr-trend',
  access: 'member',
  summary: 'MRR in the reporting currency at the start of each month, and now.',
  response: z.object({
    mrrTrend: z.array(z.object({ date: day, mrr: cents })),
    currentMrr: cents,
    reportingCurrency: currency,
  }),
})

/** How many rows a list has, and the MRR of these rows that the totals include. */
export const listSum = z.object({ count: z.int(), mrr: cents })

/** Rows are counted up to 1,000; `isCapped` says that there are more, and then their MRR is null. */
export const cappedSum = z.object({ count: z.int(), isCapped: z.boolean(), mrr: cents.nullable() })

export const getAttention = endpoint({
  method: 'GET',
  path: '/api/dashboard/attention',
  access: 'member',
  summary:
    'What a person should look at. Each count is that of the list that shows the same rows, some up to 1,000.',
  response: z.object({
    /** The currency of every `mrr`. */
    reportingCurrency: currency,
    customersToMatch: listSum,
    pastDue: listSum,
    /** Subscriptions whose end is planned. */
    canceling: cappedSum,
    /** Subscriptions and events whose records HubSpot refused. */
    failing: cappedSum,
    failingEvents: cappedSum.omit({ mrr: true }),
    /** Subscriptions whose last change has been on the way to HubSpot for longer than promised. */
    stale: cappedSum,
    /** Providers that no longer accept our key or tokens, and why. */
    deadConnections: z.array(z.object({ provider: z.enum(['hubspot', 'stripe']), reason: z.string() })),
    /** Providers that an import or a sync used before and that are not connected now, and when it was read or written last. */
    disconnected: z.array(z.object({ provider: z.enum(['hubspot', 'stripe']), lastAt: instant })),
    /** The HubSpot account that is connected in place of another, while a person has to say whether it is meant. */
    undecidedAccount: z.object({ portalId: z.string(), earlierPortalId: z.string() }).nullable(),
    /** The last run of each kind, where it failed. One whose provider refuses the connection is told by that alone. */
    failedRuns: z.array(
      z.object({
        id: z.string(),
        type: z.enum(jobTypes),
        problem: runProblem,
        reason: z.string(),
        endedAt: instant,
      }),
    ),
  }),
})
export type Attention = z.output<typeof getAttention.response>
