import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { cents, currency, id, text } from '../fields.ts'

/** MRR in a currency that the total does not include, because no rate is known. */
export const otherCurrency = z.object({ currency, mrr: cents })

export const getMatchCoverage = endpoint({
  method: 'GET',
  path: '/api/matches/coverage',
  access: 'member',
  summary: 'How much of the current MRR belongs to customers that are attached to a company.',
  response: z.object({
    /** The share of the MRR in the reporting currency in whole percent, rounded down; null without any MRR. */
    percent: z.int().nullable(),
    currentMrr: cents,
    attachedMrr: cents,
    reportingCurrency: currency,
    otherCurrencies: z.array(otherCurrency.extend({ attachedMrr: cents })),
    unsupportedSubscriptions: z.int(),
    pendingMatchCount: z.int(),
    /** Whether customers were looked for in the connected HubSpot account yet. */
    wasMatchingRun: z.boolean(),
  }),
})

export const getMatchForecast = endpoint({
  method: 'GET',
  path: '/api/matches/forecast',
  access: 'member',
  summary:
    'How many companies and contacts the next push would create in HubSpot, with the switches as they are.',
  response: z.object({
    companiesToCreate: z.int(),
    /** Says why no record would be created although the switch is on; null when nothing is known to prevent it. */
    companiesPaused: z.string().nullable(),
    contactsToCreate: z.int(),
    attachedCustomers: z.int(),
    customersToReview: z.int(),
  }),
})

export const countDomain = endpoint({
  method: 'GET',
  path: '/api/matches/domain',
  access: 'member',
  summary:
    'How many customers a rule for the domain would attach now, and how many are with the company of its rule.',
  query: z.strictObject({
    /** A registrable domain, as the list of matches has it. */
    domain: text(253).refine((value) => value !== '', 'must not be empty'),
    /** A customer that is decided about by itself, and so is left out of those that wait. */
    exceptCustomerId: id.optional(),
  }),
  response: z.object({
    waitingCustomers: z.int(),
    /** Their subscriptions and events. */
    waitingRecords: z.int(),
    /** Customers attached to the company that the rule names; 0 without a rule. */
    attachedCustomers: z.int(),
  }),
})
