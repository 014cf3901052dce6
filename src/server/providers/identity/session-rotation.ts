import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint, getSessionFromCtx } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { generateRandomString } from 'better-auth/crypto'
import { rotateSession } from '../../store/accounts/sessions.ts'
import type { Database } from '../../store/postgres/database.ts'

const tokenLength = 32
/** This path is not reachable from outside: identity-route accepts only the listed paths. */
export const rotateSessionPath = '/rotate-session'

/** Gives the session of a request a new token and returns the cookie for it. Only our own code calls this. */
export function sessionRotation(database: Database) {
  return {
    id: 'session-rotation',
    endpoints: {
      rotateSession: createAuthEndpoint(
        rotateSessionPath,
        { method: 'POST', requireHeaders: true, metadata: { scope: 'server' } },
        async (ctx) => {
          const found = await getSessionFromCtx(ctx)
          if (found === null) return ctx.json(null)
          const wanted = ctx.headers?.get(organizationHeader) ?? ''
          const organizationId = wanted === '' ? null : Number(wanted)
          const token = generateRandomString(tokenLength)
          await rotateSession(database, { id: Number(found.session.id), token, organizationId })
          await setSessionCookie(ctx, { session: { ...found.session, token }, user: found.user })
          return ctx.json(null)
        },
      ),
    },
  } satisfies BetterAuthPlugin
}

/** Our own call passes the organization in this header; headers of callers do not reach this point. */
export const organizationHeader = 'x-tributary-organization'
