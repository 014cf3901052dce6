import { z } from 'zod'
import { changeTypes, mrrStatuses } from '#domain/event.ts'
import { endpoint } from './endpoint.ts'
import { cents, counted, currency, id, instant, limit, page, search } from './fields.ts'
import { eventFilters, inOrder, notInOrder } from './lists/list-filters.ts'

/** One change of MRR, under the name that the API uses. */
export const transaction = z.object({
  transactionId: z.string(),
  transactionDate: instant,
  invoiceId: z.string().nullable(),
  /** As the customer reads it on the invoice; null while it is a draft. */
  invoiceNumber: z.string().nullable(),
  invoiceLink: z.string().nullable(),
  companyName: z.string().nullable(),
  hubspotCompanyId: z.string().nullable(),
  hubspotCompanyLink: z.string().nullable(),
  portalId: z.string().nullable(),
  /** The customer's id in the payment provider; null for an event without a customer. */
  customerId: z.string().nullable(),
  customerName: z.string().nullable(),
  customerEmail: z.string().nullable(),
  customerDomain: z.string().nullable(),
  paymentMethod: z.string().nullable(),
  mrrStatus: z.enum(mrrStatuses),
  changeType: z.enum(changeTypes).nullable(),
  previousMrr: cents,
  currentMrr: cents,
  mrrChange: cents,
  currency,
  previousQuantity: z.int(),
  currentQuantity: z.int(),
  productName: z.string().nullable(),
  relatedSubscriptionId: z.string().nullable(),
  /** The change in the reporting currency; null where no rate is known. */
  reportingMrrChange: cents.nullable(),
  reportingCurrency: currency,
  /** The rate of that amount in words; null where none was used. */
  rateText: z.string().nullable(),
})
export type Transaction = z.output<typeof transaction>

/** The first is the order that nobody chose. */
export const transactionSorts = ['transactionDate', 'mrrChange'] as const

const inSomeOrder = {
  sort: z.enum(transactionSorts).default('transactionDate'),
  order: z.enum(['asc', 'desc']).default('desc'),
}

export const listTransactions = endpoint({
  method: 'GET',
  path: '/api/stripe/transactions',
  access: 'member',
  summary: 'Changes of MRR that meet all filters, a page at a time.',
  query: z
    .strictObject({
      page,
      limit: limit(20),
      search,
      ...eventFilters,
      ...inSomeOrder,
      subscriptionId: id.optional(),
    })
    .refine(inOrder, notInOrder),
  response: z.object({ transactions: z.array(transaction), ...counted }),
})

export const getTransactionPlace = endpoint({
  method: 'GET',
  path: '/api/stripe/transactions/{eventId}/place',
  access: 'member',
  summary: 'Where a change of MRR stands among those of its subscription: the newest has place 1.',
  params: z.strictObject({ eventId: id }),
  response: z.object({ subscriptionId: z.string(), place: z.int() }),
})

export const exportTransactions = endpoint({
  method: 'GET',
  path: '/api/csv/transactions',
  access: 'member',
  answers: 'file',
  summary: 'All changes of MRR that meet search and filters as a CSV file, in the order of the list.',
  query: z
    .strictObject({ search, ...eventFilters, ...inSomeOrder, subscriptionId: id.optional() })
    .refine(inOrder, notInOrder),
  response: z.any(),
})

const changes = { events: z.int(), change: cents }

export const sumTransactions = endpoint({
  method: 'GET',
  path: '/api/stripe/transaction-sums',
  access: 'member',
  summary: 'What the changes of MRR that meet all filters come to, by kind.',
  query: z
    .strictObject({ search, ...eventFilters, subscriptionId: id.optional() })
    .refine(inOrder, notInOrder),
  response: z.object({
    /** All events, in any currency. */
    totalCount: z.int(),
    /** The currency of `kinds` and `net`. */
    currency,
    kinds: z.array(z.object({ mrrStatus: z.enum(mrrStatuses), ...changes })),
    net: z.object(changes),
    /** Events in currencies that are not added to the above. */
    otherCurrencies: z.array(z.object({ currency, ...changes })),
  }),
})
export type TransactionSums = z.output<typeof sumTransactions.response>
