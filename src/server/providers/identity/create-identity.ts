import { isAPIError } from 'better-auth/api'
import { Refusal } from '../../refusal.ts'
import { roleOf } from '../../store/accounts/members.ts'
import { findMembership } from '../../store/accounts/organizations.ts'
import { isSessionFresh } from '../../store/accounts/sessions.ts'
import type { Database } from '../../store/postgres/database.ts'
import type { IdentityPort } from '../identity.ts'
import { type Attempt, forgiveAttempts, requireBudget } from './attempts.ts'
import { hashingPaths, parseBody } from './bodies.ts'
import { cookiePrefixOf, createAuth, type IdentityOptions } from './create-auth.ts'
import { tellingDatabaseTrouble } from './database-trouble.ts'
import { hasDemo } from './demo-door.ts'
import { createDevices, deviceCookie } from './devices.ts'
import { createHashQueue, type HashQueue } from './hash-queue.ts'
import { createHostedAuth, type HostedAuth } from './hosted-auth.ts'
import { addressHeader, emailChangePath, identityPath, isServed } from './paths.ts'
import { answerSecondFactor, isSecondFactor } from './second-factor-calls.ts'
import { organizationHeader } from './session-rotation.ts'

/** When a hosted provider keeps the password, a sign-in within this time still proves the person's identity. */
const freshMinutes = 10
/** The minimum time of these answers, so that their duration does not reveal whether an account exists. */
const uniformMs: Record<string, number> = {
  '/sign-up/email': 600,
  '/request-password-reset': 400,
  '/send-verification-email': 400,
  '/change-email/confirm': 400,
}

/** Calls that take the password of a signed-in person. A guess there counts as one at the sign-in does. */
const provingPaths: readonly string[] = [
  '/change-password',
  '/two-factor/enable',
  '/two-factor/generate-backup-codes',
  '/two-factor/disable',
]

/** Sign-in and sessions in our own database. Each request looks up the membership again. */
export function createIdentity(options: IdentityOptions): IdentityPort {
  const { database } = options
  const devices = createDevices(options)
  const auth = createHostedAuth(options, () => createAuth(options))
  const inTurn = createHashQueue()
  const cookiePrefix = cookiePrefixOf(options.config)
  return {
    findSession: (headers) => findSession(database, auth, headers),
    hasDemo: () => hasDemo(options),
    sessionCookie: (headers) => cookieOf(headers, `${cookiePrefix}.session_token`),
    async handle(request) {
      const path = new URL(request.url).pathname.slice(identityPath.length)
      if (!isServed(request.method, path)) return new Response(null, { status: 404 })
      const { email, body, request: checked } = await withCheckedBody(path, request)
      const attempt = {
        method: request.method,
        path,
        email,
        address: request.headers.get(addressHeader) ?? '',
        deviceId: devices.find(cookieOf(request.headers, `${cookiePrefix}.${deviceCookie}`), email),
      }
      const proof = provingPaths.includes(path) ? await proofOf(auth, request.headers) : null
      if (options.isRateLimited !== false) {
        await requireBudget(database, attempt)
        if (proof !== null) await requireBudget(database, proof)
      }
      const handler = await auth.forPath(path)
      const wait = options.sleep?.(uniformMs[path] ?? 0)
      const call = (made: Request) => tellingDatabaseTrouble(() => handler(made))
      const work = async () => {
        if (isSecondFactor(path))
          return answerSecondFactor({ ...secondFactorParts(options, auth), call }, path, checked, body ?? {})
        if (path === emailChangePath && options.config.oidc === null)
          await requirePassword(options, auth, inTurn, checked.headers, String(body?.['password']))
        return call(checked)
      }
      // For a changed password the session is checked first, so that strangers do not occupy a hashing place for
      // long.
      const isKnown = attempt.deviceId !== null || path === '/change-password' || isSecondFactor(path)
      const answer = await (hashingPaths.includes(path) ? inTurn(isKnown, work) : work())
      await wait
      if (answer.ok && path === '/sign-in/email') await forgiveAttempts(database, attempt)
      if (answer.ok && proof !== null) await forgiveAttempts(database, proof)
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
    requireProof: (headers, proof) => requireProof(options, auth, inTurn, headers, proof),
  }
}

/**
 * The caller of the request. The membership is looked up each time, so that a removed member loses access at once.
 */
async function findSession(
  database: Database,
  auth: HostedAuth,
  headers: Headers,
): ReturnType<IdentityPort['findSession']> {
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
      hasSecondFactor: user.twoFactorEnabled === true,
    },
    organization: active === undefined ? null : { ...active, role: roleOf(active.role) },
  }
}

function secondFactorParts({ database, mail, config }: IdentityOptions, auth: HostedAuth) {
  return {
    database,
    mail,
    publicUrl: config.publicUrl,
    findSession: (headers: Headers) =>
      tellingDatabaseTrouble(() => auth.current().api.getSession({ headers: onlyCookie(headers) })),
    async isPassword(headers: Headers, password: string) {
      const verify = () =>
        auth.current().api.verifyPassword({ headers: onlyCookie(headers), body: { password } })
      try {
        return (await tellingDatabaseTrouble(verify)).status
      } catch (error) {
        if (isAPIError(error)) return false
        throw error
      }
    },
  }
}

function onlyCookie(headers: Headers): Headers {
  return new Headers({ cookie: headers.get('cookie') ?? '' })
}

/** Refuses a signed-in caller whose password is wrong. A caller without a session is left to the library. */
async function requirePassword(
  options: IdentityOptions,
  auth: HostedAuth,
  inTurn: HashQueue,
  headers: Headers,
  password: string,
): Promise<void> {
  const found = await tellingDatabaseTrouble(() =>
    auth.current().api.getSession({ headers: onlyCookie(headers) }),
  )
  if (found === null) return
  const proof = { password, email: found.user.email, address: headers.get(addressHeader) }
  await requireProof(options, auth, inTurn, headers, proof)
}

function signInBy(email: string, address: string | null): Attempt {
  return { method: 'POST', path: '/sign-in/email', email, address: address ?? '', deviceId: null }
}

/** The guess that a call with a password of a signed-in person is; null without a session. */
async function proofOf(auth: HostedAuth, headers: Headers): Promise<Attempt | null> {
  const found = await tellingDatabaseTrouble(() =>
    auth.current().api.getSession({ headers: onlyCookie(headers) }),
  )
  return found && signInBy(found.user.email, headers.get(addressHeader))
}

/** Refuses callers who cannot prove their identity again, by password or by a recent hosted sign-in. */
async function requireProof(
  options: IdentityOptions,
  auth: HostedAuth,
  inTurn: HashQueue,
  headers: Headers,
  { password, email, address }: Parameters<IdentityPort['requireProof']>[1],
): Promise<void> {
  const { database } = options
  const cookie = headers.get('cookie') ?? ''
  const { api } = auth.current()
  if (options.config.oidc !== null) {
    const found = await tellingDatabaseTrouble(() => api.getSession({ headers: new Headers({ cookie }) }))
    if (found !== null && (await isSessionFresh(database, Number(found.session.id), freshMinutes))) return
    throw new Refusal('forbidden', 'Sign out and in again, then do this within ten minutes.')
  }
  const attempt = signInBy(email, address)
  if (options.isRateLimited !== false) await requireBudget(database, attempt)
  const verify = () => api.verifyPassword({ headers: new Headers({ cookie }), body: { password } })
  await inTurn(true, () => tellingDatabaseTrouble(verify)).catch((error: unknown) => {
    if (isAPIError(error)) throw new Refusal('forbidden', 'The password is incorrect. Enter it again.')
    throw error
  })
  await forgiveAttempts(database, attempt)
}

/** The request with its checked body, and the address that it concerns. */
async function withCheckedBody(
  path: string,
  request: Request,
): Promise<{ email: string | null; body: Record<string, unknown> | null; request: Request }> {
  if (request.method !== 'POST') return { email: null, body: null, request }
  const text = await request.text()
  const body = parseBody(path, text)
  const { headers } = request
  const email = typeof body?.['email'] === 'string' ? body['email'] : null
  const checked = new Request(request.url, {
    method: 'POST',
    headers,
    body: body === null ? text : JSON.stringify(body),
  })
  return { email, body, request: checked }
}

function cookieOf(headers: Headers, name: string): string | undefined {
  const pairs = headers.get('cookie')?.split('; ') ?? []
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

/**
 * The library repeats the session token in its answers. We remove it, so that only the cookie has it and scripts
 * cannot read it.
 */
async function withoutTokens(answer: Response): Promise<Response> {
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return answer
  const told: unknown = JSON.parse((await answer.text()) || 'null')
  const text = JSON.stringify(told, (key, value: unknown) => (key === 'token' ? null : value))
  return new Response(text, { status: answer.status, headers: answer.headers })
}
