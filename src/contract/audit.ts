import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { counted, instant, limit, page } from './fields.ts'
import { activityFilters } from './lists/list-filters.ts'

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
  summary: 'Who did what in the organization, newest first.',
  query: z.strictObject({ page, limit: limit(25), ...activityFilters }),
  response: z.object({ lines: z.array(line), totalCount: counted.totalCount }),
})

export const listActivityOptions = endpoint({
  method: 'GET',
  path: '/api/audit/options',
  access: 'admin',
  summary: 'The people and the actions of the activity, which its filters can be set to.',
  response: z.object({
    /** In order of their addresses, of which each account has its newest. */
    people: z.array(z.object({ personId: z.string(), address: z.string() })),
    /** Whether it has lines of accounts that were deleted, and of what happened by itself. */
    hasDeleted: z.boolean(),
    hasNobody: z.boolean(),
    actions: z.array(z.object({ action: z.string(), description: z.string() })),
  }),
})
export type ActivityOptions = z.output<typeof listActivityOptions.response>

export const exportActivity = endpoint({
  method: 'GET',
  path: '/api/audit/export',
  access: 'admin',
  answers: 'file',
  summary: 'The activity of these filters as a CSV file.',
  query: z.strictObject(activityFilters),
  response: z.any(),
})
