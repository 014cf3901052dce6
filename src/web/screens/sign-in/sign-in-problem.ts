import { paths } from '../../paths.ts'

const begunElsewhere = 'The sign-in took too long or was started in another browser. Please sign in again.'
const usedLink =
  'This link is no longer valid. It may have been used already. Sign in, or sign up again for a new one.'

/** The sign-in is where the link of a forgotten password leads, and no other link of a mail. */
const resetTexts: Record<string, string> = {
  invalid_token:
    'This link is no longer valid. It may have been used already. Sign in, or press Forgot your password? for a new one.',
  token_expired: 'This link has expired. Sign in, or press Forgot your password? for a new one.',
}

/** The keys are in lower case, because the parts of the library write their codes in either case. */
const texts: Record<string, string> = {
  email_not_verified:
    'Your sign-in provider has not verified your email address. Verify it there, then sign in again.',
  account_not_linked:
    'There is an account with this email address that belongs to another sign-in. Use that one, or ask your administrator.',
  email_not_found: 'Your sign-in provider sent no email address. Add one there, then sign in again.',
  access_denied: 'The sign-in was canceled.',
  state_mismatch: begunElsewhere,
  state_not_found: begunElsewhere,
  please_restart_the_process: begunElsewhere,
  invalid_token: usedLink,
  token_expired: 'This link has expired. Sign in, or sign up again for a new one.',
  user_not_found: 'This link no longer belongs to an account. Sign up again.',
  invalid_user: 'This link belongs to another account. Sign out, then open it again.',
}

/** Who is signed in needs no other link. */
const signedInTexts: Record<string, string> = {
  invalid_token:
    'This link is no longer valid. It may have been used already. You are signed in all the same.',
  token_expired: 'This link has expired. You are signed in all the same.',
}

/** Explains by the path and the code in the address, and by who opened it, why a link or a sign-in failed; null without a code. */
export function signInProblem(code: string | null, path: string, isSignedIn = false): string | null {
  if (code === null || code === '') return null
  const known = code.toLowerCase()
  const special = path === paths.signIn ? resetTexts : isSignedIn ? signedInTexts : {}
  const own = { ...texts, ...special }
  return (
    (Object.hasOwn(own, known) ? own[known] : null) ?? 'The sign-in did not succeed. Please sign in again.'
  )
}
