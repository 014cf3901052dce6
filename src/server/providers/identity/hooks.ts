import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { weaknessOf } from './weak-password.ts'

const pendingSeconds = 3_600

/** Refuses a weak password wherever one is chosen. */
export const passwordHook = createAuthMiddleware(async (ctx) => {
  const chosen = await chosenPassword(ctx)
  if (chosen === null) return
  const weakness = weaknessOf(chosen.password, chosen.email)
  if (weakness !== null) throw new APIError('BAD_REQUEST', { code: 'WEAK_PASSWORD', message: weakness })
})

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

async function chosenPassword(ctx: HookContext): Promise<{ password: string; email: string | null } | null> {
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  if (ctx.path === '/sign-up/email') {
    return { password: text(ctx.body?.password) ?? '', email: text(ctx.body?.email) }
  }
  if (ctx.path !== '/reset-password' && ctx.path !== '/change-password') return null
  const password = text(ctx.body?.newPassword) ?? ''
  return {
    password,
    email: ctx.path === '/reset-password' ? await emailOfReset(ctx, text(ctx.body?.token)) : null,
  }
}

/** Whose password a link of a mail replaces. */
async function emailOfReset(ctx: HookContext, token: string | null): Promise<string | null> {
  const { internalAdapter } = ctx.context
  const found = token === null ? null : await internalAdapter.findVerificationValue(`reset-password:${token}`)
  return found ? ((await internalAdapter.findUserById(found.value))?.email ?? null) : null
}

/**
 * What follows a call of the library. A sign-up answers the same whether or not the address has an account, and marks
 * the browser; following the mail's link signs in that browser alone, since a link that signs anyone in would put a
 * victim into a stranger's account. A new session ends the one that the browser had.
 */
export function afterHook(verifiedBy: WeakMap<Request, { id: string; email: string }>) {
  return createAuthMiddleware(async (ctx) => {
    const failed = isAPIError(ctx.context.returned)
    if (ctx.path === '/sign-up/email' && !failed) {
      await ctx.setSignedCookie(
        pendingCookie(ctx).name,
        String(ctx.body?.email).toLowerCase(),
        ctx.context.secret,
        pendingCookie(ctx).attributes,
      )
      return ctx.json({ token: null, user: null })
    }
    if (ctx.path === '/verify-email') await signInWhoSignedUp(ctx, verifiedBy)
    await endEarlierSession(ctx)
    return undefined
  })
}

function pendingCookie(ctx: HookContext) {
  return ctx.context.createAuthCookie('signed_up', { maxAge: pendingSeconds })
}

async function signInWhoSignedUp(
  ctx: HookContext,
  verifiedBy: WeakMap<Request, { id: string; email: string }>,
): Promise<void> {
  const verified = ctx.request && verifiedBy.get(ctx.request)
  if (!verified) return
  const signedUp = await ctx.getSignedCookie(pendingCookie(ctx).name, ctx.context.secret)
  if (signedUp !== verified.email) return
  const user = await ctx.context.internalAdapter.findUserById(verified.id)
  if (user === null) return
  const session = await ctx.context.internalAdapter.createSession(user.id)
  await setSessionCookie(ctx, { session, user })
}

async function endEarlierSession(ctx: HookContext): Promise<void> {
  const begun = ctx.context.newSession
  if (!begun || ctx.path === '/rotate-session' || ctx.path === '/get-session') return
  const earlier = await ctx.getSignedCookie(ctx.context.authCookies.sessionToken.name, ctx.context.secret)
  if (typeof earlier === 'string' && earlier !== begun.session.token) {
    await ctx.context.internalAdapter.deleteSession(earlier)
  }
}
