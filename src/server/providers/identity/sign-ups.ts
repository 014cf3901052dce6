import { createHash, randomBytes } from 'node:crypto'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, BASE_ERROR_CODES } from 'better-auth'
import { createAuthEndpoint, type createAuthMiddleware, originCheck } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import {
  completeSignUp,
  findSignUpByLink,
  keepSignUp,
  renewSignUpLink,
} from '../../store/accounts/sign-ups.ts'
import { findUserByEmail } from '../../store/accounts/users.ts'
import type { Database } from '../../store/postgres/database.ts'
import type { MailPort } from '../mail.ts'
import { forgiveAccount } from './attempts.ts'
import { alreadyRegisteredMail, verificationMail } from './mails.ts'
import { addressHeader, identityPath } from './paths.ts'

/** The same time as the mail's link is valid. */
const cookieSeconds = 3_600
const tokenBytes = 24

type SignUpOptions = { database: Database; mail: MailPort; publicUrl: string; isHosted: boolean }
type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/**
 * Replaces the library's sign-up, where an attacker's password survives until the owner proves the address. Our
 * link completes a sign-up only in the browser that made it; in any other browser it leads to the choice of a
 * password.
 */
export function signUps(options: SignUpOptions) {
  return {
    id: 'sign-ups',
    // Same names as in the library, whose own calls these replace.
    endpoints: {
      signUpEmail: signUpEmail(options),
      sendVerificationEmail: sendVerificationEmail(options),
      verifyEmail: verifyEmail(options),
      completeSignUp: chooseInAnotherBrowser(options),
    },
  } satisfies BetterAuthPlugin
}

function signUpEmail({ database, mail, publicUrl, isHosted }: SignUpOptions) {
  return createAuthEndpoint('/sign-up/email', { method: 'POST', body: signUpBody }, async (ctx) => {
    if (isHosted) throw new APIError('BAD_REQUEST', { code: 'EMAIL_PASSWORD_SIGN_UP_DISABLED' })
    const { name, email, password, callbackURL = '/' } = ctx.body
    const [link, browser] = [newToken(), newToken()]
    const [linkHash, browserHash] = [hashOf(link), hashOf(browser)]
    const passwordHash = await ctx.context.password.hash(password)
    if ((await findUserByEmail(database, email))?.emailVerified) {
      await mail.send(alreadyRegisteredMail(email, `${publicUrl}/sign-in`))
    } else {
      await keepSignUp(database, { email, name, passwordHash, linkHash, browserHash })
      await mail.send(verificationMail(email, linkOf(publicUrl, link, callbackURL)))
    }
    const { name: cookie, attributes } = cookieOf(ctx)
    await ctx.setSignedCookie(cookie, browser, ctx.context.secret, attributes)
    return ctx.json({ token: null, user: null })
  })
}

function sendVerificationEmail({ database, mail, publicUrl }: SignUpOptions) {
  return createAuthEndpoint(
    '/send-verification-email',
    { method: 'POST', body: sendAgainBody },
    async (ctx) => {
      const { email, callbackURL = '/' } = ctx.body
      const link = newToken()
      if (await renewSignUpLink(database, email, hashOf(link))) {
        await mail.send(verificationMail(email, linkOf(publicUrl, link, callbackURL)))
      }
      return ctx.json({ status: true })
    },
  )
}

function verifyEmail({ database, publicUrl, isHosted }: SignUpOptions) {
  const use = [originCheck((ctx) => ctx.query.callbackURL)]
  return createAuthEndpoint('/verify-email', { method: 'GET', query: linkQuery, use }, async (ctx) => {
    const { token, callbackURL = '/' } = ctx.query
    const failWith = (error: string) => ctx.redirect(withError(callbackURL, publicUrl, error))
    const signUp = isHosted ? undefined : await findSignUpByLink(database, hashOf(token))
    if (signUp === undefined) throw failWith('INVALID_TOKEN')
    if (signUp.isOver) throw failWith('TOKEN_EXPIRED')
    const browser = await ctx.getSignedCookie(cookieOf(ctx).name, ctx.context.secret)
    const isItsBrowser = typeof browser === 'string' && hashOf(browser) === signUp.browserHash
    // A GET changes nothing, because programs that scan mails also follow links.
    if (!isItsBrowser) {
      throw ctx.redirect(`/sign-in?${new URLSearchParams({ signUp: token, redirectUrl: callbackURL })}`)
    }
    const made = await completeSignUp(database, hashOf(token), null)
    if (made === undefined) throw failWith('INVALID_TOKEN')
    await forgiveAccount(database, made.email, addressOf(ctx))
    await signIn(ctx, made.userId)
    throw ctx.redirect(callbackURL)
  })
}

function chooseInAnotherBrowser({ database, isHosted }: SignUpOptions) {
  return createAuthEndpoint(completeSignUpPath, { method: 'POST', body: completeBody }, async (ctx) => {
    const { token, name, newPassword } = ctx.body
    const signUp = await findSignUpByLink(database, hashOf(token))
    const made =
      isHosted || signUp === undefined || signUp.isOver
        ? undefined
        : await completeSignUp(database, hashOf(token), {
            name: name ?? null,
            passwordHash: await ctx.context.password.hash(newPassword),
          })
    if (made === undefined) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.INVALID_TOKEN)
    await forgiveAccount(database, made.email, addressOf(ctx))
    // Nobody is signed in here: a stranger's link could otherwise put a victim into the stranger's account.
    return ctx.json({ status: true })
  })
}

/** The page that the link of a sign-up opens in another browser: it asks for a password. */
export const completeSignUpPath = '/sign-up/complete'

// The body is already checked (bodies.ts).
const signUpBody = z.object({
  name: z.string(),
  email: z.string(),
  password: z.string(),
  callbackURL: z.string().optional(),
})
const sendAgainBody = z.object({ email: z.string(), callbackURL: z.string().optional() })
const linkQuery = z.object({ token: z.string(), callbackURL: z.string().optional() })
const completeBody = z.object({ token: z.string(), name: z.string().optional(), newPassword: z.string() })

/** The address that the link of a sign-up proves, if the link is valid. */
export async function emailOfSignUp(database: Database, token: string): Promise<string | null> {
  return (await findSignUpByLink(database, hashOf(token)))?.email ?? null
}

async function signIn(ctx: Context, userId: number): Promise<void> {
  const { internalAdapter } = ctx.context
  const user = await internalAdapter.findUserById(String(userId))
  if (user === null) return
  await setSessionCookie(ctx, { session: await internalAdapter.createSession(user.id), user })
}

function linkOf(publicUrl: string, token: string, callbackURL: string): string {
  return `${publicUrl}${identityPath}/verify-email?${new URLSearchParams({ token, callbackURL })}`
}

function cookieOf(ctx: Context) {
  return ctx.context.createAuthCookie('signed_up', { maxAge: cookieSeconds })
}

function addressOf(ctx: Context): string {
  return ctx.headers?.get(addressHeader) ?? ''
}

function withError(destination: string, publicUrl: string, error: string): string {
  const url = new URL(destination, publicUrl)
  url.searchParams.set('error', error)
  return destination.startsWith('/') ? `${url.pathname}${url.search}${url.hash}` : url.href
}

function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url')
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
