import { APIError, BASE_ERROR_CODES } from 'better-auth'
import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { endBegunSignIns } from '../../store/accounts/sessions.ts'
import { findUnprovenPassword } from '../../store/accounts/sign-ups.ts'
import type { Database } from '../../store/postgres/database.ts'
import { type Devices, deviceCookie, deviceSeconds } from './devices.ts'
import { completeSignUpPath, emailOfSignUp } from './sign-ups.ts'
import { weaknessOf } from './weak-password.ts'

/** Checks that run before the library: whether a chosen password is weak, and whether an address is proven. */
export function beforeHook(database: Database) {
  return createAuthMiddleware(async (ctx) => {
    const { path } = ctx
    if (path === '/sign-in/email') return refuseUnproven(ctx, database)
    const chosen = await chosenPassword(ctx, database)
    if (chosen === null) return
    const weakness = weaknessOf(chosen.password, chosen.email)
    if (weakness !== null) throw new APIError('BAD_REQUEST', { code: 'WEAK_PASSWORD', message: weakness })
  })
}

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/**
 * The right password of an unfinished sign-up gets the answer that the address is not proven. Any other password
 * takes the same work and gets the same answer as an unknown address.
 */
async function refuseUnproven(ctx: HookContext, database: Database): Promise<void> {
  const { email, password } = ctx.body ?? {}
  const hash = await findUnprovenPassword(database, String(email))
  if (hash === undefined) return
  const isRight = await ctx.context.password.verify({ hash, password: String(password) })
  throw isRight
    ? APIError.from('FORBIDDEN', BASE_ERROR_CODES.EMAIL_NOT_VERIFIED)
    : APIError.from('UNAUTHORIZED', BASE_ERROR_CODES.INVALID_EMAIL_OR_PASSWORD)
}

/** The password that a call chooses and its address; null when the call chooses none or may not choose one. */
async function chosenPassword(
  ctx: HookContext,
  database: Database,
): Promise<{ password: string; email: string | null } | null> {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const newPassword = text(ctx.body?.newPassword)
  switch (ctx.path) {
    case '/sign-up/email':
      return { password: text(ctx.body?.password), email: text(ctx.body?.email) }
    case completeSignUpPath:
      return { password: newPassword, email: await emailOfSignUp(database, text(ctx.body?.token)) }
    case '/reset-password':
      return { password: newPassword, email: await emailOfReset(ctx, text(ctx.body?.token)) }
    case '/change-password': {
      const found = await getSessionFromCtx(ctx)
      return found === null ? null : { password: newPassword, email: found.user.email }
    }
    default:
      return null
  }
}

/** The owner of the password that a link in a mail replaces. */
async function emailOfReset(ctx: HookContext, token: string): Promise<string | null> {
  const { internalAdapter } = ctx.context
  const found = await internalAdapter.findVerificationValue(`reset-password:${token}`)
  return found ? ((await internalAdapter.findUserById(found.value))?.email ?? null) : null
}

/**
 * A new session ends the browser's previous one and makes the browser known for its address. A changed password also
 * ends whatever began by the earlier one.
 */
export function afterHook(database: Database, devices: Devices) {
  return createAuthMiddleware(async (ctx) => {
    const begun = ctx.context.newSession
    // The two-factor plugin ends this session again, because a code must follow.
    if (ctx.path === '/sign-in/email' && begun?.user['twoFactorEnabled']) return
    if (!begun || ctx.path === '/rotate-session' || ctx.path === '/get-session') return
    if (ctx.path === '/change-password') await endBegunSignIns(database, Number(begun.user.id))
    const { name, attributes } = ctx.context.createAuthCookie(deviceCookie, { maxAge: deviceSeconds })
    ctx.setCookie(name, devices.issue(begun.user.email), attributes)
    const earlier = await ctx.getSignedCookie(ctx.context.authCookies.sessionToken.name, ctx.context.secret)
    if (typeof earlier === 'string' && earlier !== begun.session.token) {
      await ctx.context.internalAdapter.deleteSession(earlier)
    }
  })
}
