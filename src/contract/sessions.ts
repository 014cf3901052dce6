import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { done, instant } from './fields.ts'

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/identity/sessions',
  access: 'user',
  summary: 'Where the caller is signed in; never the tokens.',
  response: z.object({
    sessions: z.array(
      z.object({
        id: z.string(),
        device: z.string(),
        address: z.string().nullable(),
        signedInAt: instant,
        lastSeenAt: instant,
        isCurrent: z.boolean(),
      }),
    ),
  }),
})

export const revokeSession = endpoint({
  method: 'POST',
  path: '/api/identity/sessions/revoke',
  access: 'user',
  audit: 'in_work',
  summary: 'Signs the caller out in one place.',
  body: z.strictObject({
    sessionId: z
      .string()
      .regex(/^[1-9][0-9]{0,8}$/)
      .transform(Number),
  }),
  response: done,
})

export const revokeOtherSessions = endpoint({
  method: 'POST',
  path: '/api/identity/sessions/revoke-others',
  access: 'user',
  audit: 'in_work',
  summary: 'Signs the caller out everywhere else.',
  response: done,
})
