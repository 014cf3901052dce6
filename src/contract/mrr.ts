import { z } from 'zod'
import { currencyTotal } from './dashboard.ts'
import { endpoint } from './endpoint.ts'
import { cents } from './fields.ts'

export const listMrrSnapshots = endpoint({
  method: 'GET',
  path: '/api/mrr/snapshots',
  access: 'member',
  summary: 'MRR in USD cents on the 1st of each month at 00:00 UTC, ascending by month.',
  response: z.object({
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
