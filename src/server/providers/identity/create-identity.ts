import { isAPIError } from 'better-auth/api'
import { Refusal } from '../../refusal.ts'
import { roleOf } from '../../store/members.ts'
import { findMembership } from '../../store/organizations.ts'
import { isSessionFresh } from '../../store/sessions.ts'
import { canonicalEmail } from '../../work/email-domain.ts'
import type { IdentityPort } from '../identity.ts'
import { forgiveAttempts, requireBudget } from './attempts.ts'
import { createAuth, type IdentityOptions } from './create-auth.ts'
import { tellingDatabaseTrouble } from './database-trouble.ts'
import { createHostedAuth } from './hosted-auth.ts'
import { addressHeader, identityPath, isServed } from './paths.ts'
import { organizationHeader } from './session-rotation.ts'

/** Where a hosted provider keeps the password, a sign-in of so long ago still proves who somebody is. */
const freshMinutes = 10
/** No answer of these comes sooner, so that its time does not tell whether there is an account. */
const uniformMs: Record<string, number> = { '/sign-up/email': 600, '/request-password-reset': 400 }

/** Sign-in and sessions on our own database; membership is looked up anew on each request. */
export function createIdentity(options: IdentityOptions): IdentityPort {
  const { database } = options
  const auth = createHostedAuth(options, () => createAuth(options))
  return {
    async findSession(headers) {
      const cookie = headers.get('cookie')
      if (cookie === null) return null
      const { api } = auth.current()
      const found = await tellingDatabaseTrouble(() =>
        api.getSession({ headers: new Headers({ cookie }), returnHeaders: true }),
      )
      if (found.response === null) return null
      const { session, user } = found.response
      const userId = Number(user.id)
      const activeId = session.activeOrganizationId ? Number(session.activeOrganizationId) : null
      const active = activeId === null ? undefined : await findMembership(database, userId, activeId)
      return {
        sessionId: Number(session.id),
        cookies: found.headers.getSetCookie(),
        user: {
          id: userId,
          name: user.name,
          email: user.email,
          emailVerified: user.emailVerified,
          imageUrl: user.image ?? null,
        },
        organization: active === undefined ? null : { ...active, role: roleOf(active.role) },
      }
    },
    async handle(request) {
      const path = new URL(request.url).pathname.slice(identityPath.length)
      if (!isServed(request.method, path)) return new Response(null, { status: 404 })
      const { email, request: canonical } = await withCanonicalEmail(request)
      const attempt = { path, email, address: request.headers.get(addressHeader) ?? '' }
      if (request.method === 'POST' && options.isRateLimited !== false) await requireBudget(database, attempt)
      const handler = await auth.forPath(path)
      const wait = options.sleep?.(uniformMs[path] ?? 0)
      const answer = await tellingDatabaseTrouble(() => handler(canonical))
      await wait
      if (answer.ok && path === '/sign-in/email') await forgiveAttempts(database, attempt)
      return withoutTokens(answer)
    },
    async switchOrganization(headers, organizationId) {
      const cookie = headers.get('cookie') ?? ''
      const { headers: answered } = await tellingDatabaseTrouble(() =>
        auth.current().api.rotateSession({
          headers: new Headers({ cookie, [organizationHeader]: String(organizationId ?? '') }),
          returnHeaders: true,
        }),
      )
      return answered.getSetCookie()
    },
    async requireProof(headers, { password, email, address }) {
      const cookie = headers.get('cookie') ?? ''
      const { api } = auth.current()
      if (options.config.oidc !== null) {
        const found = await tellingDatabaseTrouble(() => api.getSession({ headers: new Headers({ cookie }) }))
        if (found !== null && (await isSessionFresh(database, Number(found.session.id), freshMinutes))) return
        throw new Refusal('forbidden', 'Sign out and in again, then do this within ten minutes.')
      }
      const attempt = { path: '/sign-in/email', email, address: address ?? '' }
      if (options.isRateLimited !== false) await requireBudget(database, attempt)
      await tellingDatabaseTrouble(() =>
        api.verifyPassword({ headers: new Headers({ cookie }), body: { password } }),
      ).catch((error: unknown) => {
        if (isAPIError(error)) throw new Refusal('forbidden', 'The password is not right. Enter it again.')
        throw error
      })
      await forgiveAttempts(database, attempt)
    },
  }
}

/** The address of a body in its one spelling, in which it is counted, looked up and kept. */
async function withCanonicalEmail(request: Request): Promise<{ email: string | null; request: Request }> {
  if (request.method !== 'POST') return { email: null, request }
  const text = await request.text()
  const given = objectOf(text)
  const headers = request.headers
  if (typeof given?.['email'] !== 'string') {
    return { email: null, request: new Request(request.url, { method: 'POST', headers, body: text }) }
  }
  const email = canonicalEmail(given['email'])
  if (email === null) throw new Refusal('invalid_request', 'email: is not an e-mail address.')
  const body = JSON.stringify({ ...given, email })
  return { email, request: new Request(request.url, { method: 'POST', headers, body }) }
}

/** The library repeats the token of a session in its answers; the cookie alone carries it, out of reach of scripts. */
async function withoutTokens(answer: Response): Promise<Response> {
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return answer
  const told: unknown = JSON.parse((await answer.text()) || 'null')
  const text = JSON.stringify(told, (key, value: unknown) => (key === 'token' ? null : value))
  return new Response(text, { status: answer.status, headers: answer.headers })
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
