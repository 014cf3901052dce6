import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { currency, id } from './fields.ts'

const json = z.json()

export const getTransactionSample = endpoint({
  method: 'GET',
  path: '/api/test/get-transaction-sample',
  access: 'admin',
  summary: 'One event that stands in HubSpot.',
  response: z.object({
    success: z.boolean(),
    transactionId: z.string().nullable(),
    hubspotObjectId: z.string().nullable(),
  }),
})

export const getSubscriptionSample = endpoint({
  method: 'GET',
  path: '/api/test/get-subscription-sample',
  access: 'admin',
  summary: 'One subscription that stands in HubSpot.',
  response: z.object({
    success: z.boolean(),
    subscriptionId: z.string().nullable(),
    hubspotObjectId: z.string().nullable(),
  }),
})

export const testAssociation = endpoint({
  method: 'POST',
  path: '/api/test/create-transaction-subscription-association',
  access: 'admin',
  audit: 'associations_changed',
  summary: 'Associates one event record with one subscription record and says what stood there before.',
  body: z.strictObject({ transactionId: id, subscriptionId: id }),
  response: z.object({
    success: z.boolean(),
    message: z.string(),
    associations: z.array(json),
    result: json,
  }),
})

/** The five kinds of association between our records that the check counts. */
const kinds = {
  transactionsToSubscriptions: 'transaction-to-subscription',
  subscriptionsToCompanies: 'subscription-to-company',
  subscriptionsToContacts: 'subscription-to-contact',
  transactionsToCompanies: 'transaction-to-company',
  transactionsToContacts: 'transaction-to-contact',
} as const

const byKind = <Value extends z.ZodType>(value: Value) =>
  z.object({
    transactionsToSubscriptions: value,
    subscriptionsToCompanies: value,
    subscriptionsToContacts: value,
    transactionsToCompanies: value,
    transactionsToContacts: value,
  } satisfies Record<keyof typeof kinds, Value>)

export const checkMissingAssociations = endpoint({
  method: 'GET',
  path: '/api/test/check-missing-associations',
  access: 'admin',
  summary: 'Compares the associations in HubSpot with those that should be there.',
  response: z.object({
    success: z.boolean(),
    message: z.string(),
    results: z.object({
      subscriptionCount: z.int(),
      transactionCount: z.int(),
      associationCounts: z.object({
        totalChecked: z.int(),
        totalMissing: z.int(),
        /** Counts everything that is missing; the lists below show the first entries of each kind. */
        missingByKind: byKind(z.int()),
      }),
      missingAssociations: byKind(z.array(json)),
    }),
  }),
})

export const associationTypes = [...Object.values(kinds), 'all'] as const

export const fixMissingAssociations = endpoint({
  method: 'POST',
  path: '/api/test/fix-missing-associations',
  access: 'admin',
  audit: 'associations_changed',
  summary: 'Creates the missing associations of one kind, or of all, as a run that Sync History shows.',
  body: z.strictObject({ associationType: z.enum(associationTypes) }),
  response: z.object({
    success: z.boolean(),
    message: z.string(),
    fixResults: z.object({ attempted: z.int(), successful: z.int() }),
  }),
})

const operatorRow = {
  id: z.string(),
  companyName: z.string().nullable(),
  /** Of its amount. */
  currency,
}

export const subscriptionData = z.object({
  subscriptions: z.array(
    z.object({
      ...operatorRow,
      subscriptionId: z.string(),
      productName: z.string().nullable(),
      status: z.string(),
      currentMrr: z.int().nullable(),
      createdAt: z.iso.datetime().nullable(),
      lastSyncedAt: z.iso.datetime().nullable(),
    }),
  ),
  subscriptionsCount: z.int(),
  transactions: z.array(
    z.object({
      ...operatorRow,
      transactionId: z.string(),
      relatedSubscriptionId: z.string().nullable(),
      mrrChange: z.int().nullable(),
      changeType: z.string().nullable(),
      transactionDate: z.iso.datetime().nullable(),
      hubspotObjectId: z.string().nullable(),
    }),
  ),
  transactionsCount: z.int(),
})

const userNumber = z.strictObject({
  n: z
    .string()
    .regex(/^[0-9]{1,9}$/, 'must be a whole number of at most 9 digits')
    .transform(Number),
})

export const getTestSubscriptionData = endpoint({
  method: 'GET',
  path: '/api/test-subscription-data/{n}',
  access: 'public',
  summary: 'Synthetic rows made from n; never the data of an organization.',
  params: userNumber,
  response: subscriptionData,
})

export const getOperatorSubscriptionData = endpoint({
  method: 'GET',
  path: '/api/operator/subscription-data/{n}',
  access: 'operator',
  summary: 'Subscriptions and events of the organization of the user with this number; each read is audited.',
  params: userNumber,
  response: subscriptionData.extend({
    /** Whose rows these are. */
    organizationName: z.string(),
    userName: z.string(),
    userEmail: z.string(),
  }),
})
