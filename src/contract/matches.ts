import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const runMatching = endpoint({
  method: 'POST',
  path: '/api/matches/run',
  access: 'member',
  summary: 'Looks for the company and contact of every customer that has none yet.',
  response: z.object({ processed: z.int(), matched: z.int(), pendingMatchCount: z.int() }),
})
