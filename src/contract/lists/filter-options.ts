import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { currency } from '../fields.ts'

/** This many products are among the options; of more, those that come first. */
export const listedProductsMax = 200

/** Reads what the filters of lists can be set to, from the subscriptions that are there. */
export const getFilterOptions = endpoint({
  method: 'GET',
  path: '/api/stripe/filter-options',
  access: 'member',
  summary:
    'The statuses, products, currencies and intervals that subscriptions have, and the currency of filters by amount.',
  response: z.object({
    statuses: z.array(z.object({ status: z.string(), count: z.int() })),
    /** Up to `listedProductsMax`, in order. null: some subscription has none. */
    products: z.array(z.string().nullable()),
    currencies: z.array(currency),
    /** The currency of filters by an amount. */
    reportingCurrency: currency,
    /** Days between two bills. */
    intervals: z.array(z.object({ days: z.int().nullable(), label: z.string() })),
  }),
})
export type FilterOptions = z.output<typeof getFilterOptions.response>
