import { z } from 'zod'
import { changeTypes, mrrStatuses } from '#domain/event.ts'
import { endpoint } from './endpoint.ts'
import { cents, counted, currency, id, instant, limit, page, search } from './fields.ts'

/** One change of MRR, under the name that the API uses. */
export const transaction = z.object({
  transactionId: z.string(),
  transactionDate: instant,
  invoiceId: z.string().nullable(),
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

export const listTransactions = endpoint({
  method: 'GET',
  path: '/api/stripe/transactions',
  access: 'member',
  summary: 'Changes of MRR, newest first, a page at a time; of one subscription when it is named.',
  query: z.strictObject({
    page,
    limit: limit(20),
    search,
    mrrStatus: z.enum(mrrStatuses).optional(),
    subscriptionId: id.optional(),
  }),
  response: z.object({ transactions: z.array(transaction), ...counted }),
})
