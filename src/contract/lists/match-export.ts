import { z } from 'zod'
import { matchEvidences, matchStates } from '#domain/company.ts'
import { endpoint } from '../endpoint.ts'
import { search } from '../fields.ts'

export const exportMatches = endpoint({
  method: 'GET',
  path: '/api/csv/matches',
  access: 'member',
  answers: 'file',
  summary: 'All customers of a state of the review as a CSV file, the highest MRR first.',
  query: z.strictObject({
    search,
    state: z.enum(matchStates).default('pending'),
    reason: z.enum(matchEvidences).optional(),
  }),
  response: z.any(),
})
