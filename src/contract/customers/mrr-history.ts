import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { cents, currency, day, id } from '../fields.ts'

const history = z.object({
  /** One for each currency, that of the highest MRR first. */
  series: z.array(
    z.object({
      currency,
      /** MRR at the end of each UTC day on which it changed, ascending; the last point is the present MRR, today. */
      points: z.array(z.object({ day, mrr: cents })),
    }),
  ),
})
export type MrrSeries = z.output<typeof history>['series'][number]

export const getCustomerHistory = endpoint({
  method: 'GET',
  path: '/api/mrr/history/customers/{customerId}',
  access: 'member',
  summary: "A customer's MRR over all subscriptions, from its first event to today.",
  params: z.strictObject({ customerId: id }),
  response: history,
})

export const getSubscriptionHistory = endpoint({
  method: 'GET',
  path: '/api/mrr/history/subscriptions/{id}',
  access: 'member',
  summary: "A subscription's MRR, from its first event to today.",
  params: z.strictObject({ id }),
  response: history,
})
