import { z } from 'zod'
import { matchEvidences, matchReasons, matchStates } from '#domain/company.ts'
import { endpoint } from '../endpoint.ts'
import { transaction } from '../events.ts'
import { cents, counted, currency, id, instant, limit, page, search } from '../fields.ts'
import { customerFilters } from '../lists/list-filters.ts'
import { companyFacts } from '../matches.ts'
import { recordFreshness, subscription } from '../subscriptions.ts'

export const customerSorts = ['currentMrr', 'customerName', 'firstPaidAt'] as const

const currencyAmount = z.object({ currency, mrr: cents })

export const customer = z.object({
  /** The customer's id in the payment provider. */
  customerId: z.string(),
  /** null for a customer without a name; the pseudonym of an erased one. */
  customerName: z.string().nullable(),
  customerEmail: z.string().nullable(),
  /** The company in HubSpot to which the customer belongs; null without one. */
  companyName: z.string().nullable(),
  hubspotCompanyLink: z.string().nullable(),
  matchState: z.enum(matchStates).nullable(),
  /** MRR over all subscriptions in the reporting currency; the list is sorted by it. */
  currentMrr: cents,
  reportingCurrency: currency,
  /** MRR that has no rate. */
  otherCurrencies: z.array(currencyAmount),
  /** Counts the subscriptions whose MRR cannot be calculated. */
  uncountedSubscriptions: z.int(),
  /** Counts its listed subscriptions, whatever their status. */
  subscriptionCount: z.int(),
  /** Up to 50 products of its subscriptions with MRR, that of the highest MRR first; `productCount` counts all. */
  productNames: z.array(z.string()),
  productCount: z.int(),
  /** When the first event of the customer happened; null before its first payment. */
  firstPaidAt: instant.nullable(),
  /** Whether the customer was deleted in the payment provider. */
  isDeleted: z.boolean(),
  erasureId: z.string().nullable(),
})
export type CustomerEntry = z.output<typeof customer>

/** Search, filters and order of the list. */
const narrowed = {
  search,
  ...customerFilters,
  sort: z.enum(customerSorts).default('currentMrr'),
  order: z.enum(['asc', 'desc']).default('desc'),
}

export const listCustomers = endpoint({
  method: 'GET',
  path: '/api/customers',
  access: 'member',
  summary: 'Customers that have or had a subscription, a page at a time.',
  query: z.strictObject({ page, limit: limit(20), ...narrowed }),
  response: z.object({ customers: z.array(customer), ...counted }),
})

export const exportCustomers = endpoint({
  method: 'GET',
  path: '/api/csv/customers',
  access: 'member',
  answers: 'file',
  summary: 'All customers that meet search and filters as a CSV file, in the order of the list.',
  query: z.strictObject(narrowed),
  response: z.any(),
})

export const sumCustomers = endpoint({
  method: 'GET',
  path: '/api/customer-sums',
  access: 'member',
  summary: 'What the customers that meet search and filters come to: their number and their current MRR.',
  query: z.strictObject({ search, ...customerFilters }),
  response: z.object({
    totalCount: z.int(),
    /** The currency of `mrr`. */
    currency,
    mrr: cents,
    /** MRR in currencies that are not added to `mrr`. */
    otherCurrencies: z.array(currencyAmount),
  }),
})
export type CustomerSums = z.output<typeof sumCustomers.response>

const invoice = z.object({
  invoiceId: z.string(),
  number: z.string().nullable(),
  status: z.string().nullable(),
  createdAt: instant,
  /** Its lines less its discounts, without tax that is added on top; null if the provider gave no lines. */
  amount: cents.nullable(),
  currency,
  stripeLink: z.string().nullable(),
})
export type InvoiceEntry = z.output<typeof invoice>

export const getInvoice = endpoint({
  method: 'GET',
  path: '/api/invoices/{invoiceId}',
  access: 'member',
  summary: 'One invoice: its number, amount and status, and what it did to MRR.',
  params: z.strictObject({ invoiceId: id }),
  /** The sum of its events' changes, in the currency of the invoice. */
  response: invoice.extend({ eventCount: z.int(), mrrChange: cents }),
})
export type FoundInvoice = z.output<typeof getInvoice.response>

/** How the customer was matched, and why. */
const customerMatch = z.object({
  state: z.enum(matchStates),
  evidence: z.enum(matchEvidences),
  /** Who chose or unlinked the company; null if nobody did, or if it is unknown who did. */
  decidedBy: z.string().nullable(),
  /** Says what a person has to correct in the address that Stripe has; null when nothing is known to be wrong. */
  emailProblem: z.string().nullable(),
  candidates: z.array(
    z.object({
      companyName: z.string().nullable(),
      /** The hosts that its record in HubSpot named when we last read it; none if it is no longer there. */
      domains: z.array(z.string()),
      facts: companyFacts,
      hubspotCompanyLink: z.string().nullable(),
      reasons: z.array(z.enum(matchReasons)),
    }),
  ),
  /** Whether HubSpot has a contact for the customer. */
  hasContact: z.boolean(),
  hubspotContactLink: z.string().nullable(),
  /** Whether records of its subscriptions are yet to get, change or lose their company or contact with the next sync. */
  isToFollow: z.boolean(),
  /** Says why the customer's contact is not created; null when nothing prevents it. */
  contactProblem: z.string().nullable(),
})

export const getCustomer = endpoint({
  method: 'GET',
  path: '/api/customers/{customerId}',
  access: 'member',
  summary: 'One customer with its first subscriptions, newest events, used invoices, and its company.',
  params: z.strictObject({ customerId: id }),
  response: customer.extend({
    customerDomain: z.string().nullable(),
    stripeLink: z.string().nullable(),
    /** null while nobody has looked for the customer's company in this portal. */
    match: customerMatch.nullable(),
    subscriptions: z.object({ count: z.int(), first: z.array(subscription) }),
    events: z.object({ count: z.int(), newest: z.array(transaction) }),
    invoices: z.object({
      count: z.int(),
      newest: z.array(invoice),
    }),
    /** How fresh its records are: the change that waits longest, else the latest; null without any since the first import. */
    freshness: recordFreshness.nullable(),
    /** The other customers of the same company; null without a company. The sums include this customer. */
    sameCompany: z
      .object({
        otherCount: z.int(),
        others: z.array(customer),
        totalMrr: cents,
        otherCurrencies: z.array(currencyAmount),
      })
      .nullable(),
  }),
})
