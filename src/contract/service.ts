import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const getHealth = endpoint({
  method: 'GET',
  path: '/api/health',
  access: 'public',
  summary: 'Whether the server and its database answer.',
  response: z.object({ status: z.literal('ok') }),
})

export const getOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: 'public',
  summary: 'This description, generated from the endpoint table.',
  response: z.record(z.string(), z.json()),
})
