import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { instant, limit } from './fields.ts'

const line = z.object({
  id: z.string(),
  happenedAt: instant,
  /** The address of the account that did it; null when nobody was signed in. */
  actor: z.string().nullable(),
  /** The network address that the request came from. */
  address: z.string().nullable(),
  action: z.string(),
  description: z.string(),
  subject: z.string().nullable(),
  outcome: z.enum(['begun', 'done', 'failed']),
})

export const listActivity = endpoint({
  method: 'GET',
  path: '/api/audit/activity',
  access: 'admin',
  summary: 'Who did what in the organization, the newest first; `before` is the id of the last line seen.',
  query: z.strictObject({
    before: z
      .string()
      .regex(/^[1-9][0-9]{0,14}$/)
      .transform(Number)
      .optional(),
    limit: limit(25),
  }),
  response: z.object({ lines: z.array(line), hasMore: z.boolean() }),
})

export const exportActivity = endpoint({
  method: 'GET',
  path: '/api/audit/export',
  access: 'admin',
  answers: 'page',
  summary: 'The activity as a CSV file.',
  response: z.any(),
})
