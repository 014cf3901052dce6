import { createAuthMiddleware, isAPIError } from 'better-auth/api'

/**
 * Makes the answer to a sign-up the same whether or not the address has an account. The library invents a user for
 * known addresses, but with an id that no real user has.
 */
export const uniformSignUpHook = createAuthMiddleware(async (ctx) => {
  if (ctx.path !== '/sign-up/email' || isAPIError(ctx.context.returned)) return
  return ctx.json({ token: null, user: null })
})
