const texts: Record<string, string> = {
  email_not_verified:
    'Your sign-in provider has not verified your e-mail address. Verify it there, then sign in again.',
  account_not_linked:
    'There is an account with this e-mail address that belongs to another sign-in. Use that one, or ask your administrator.',
  email_not_found:
    'Your sign-in provider told no e-mail address, which is needed. Add one there, then sign in again.',
  access_denied: 'The sign-in was cancelled.',
  state_mismatch: 'The sign-in took too long or was begun elsewhere. Please sign in again.',
  INVALID_TOKEN: 'This link is not valid any more. Sign in, or sign up again to have a new one sent.',
  TOKEN_EXPIRED: 'This link has expired. Sign in and have a new one sent, or sign up again.',
}

/** Codes of links of mails, which lead to any address of ours. */
const linkProblems = ['INVALID_TOKEN', 'TOKEN_EXPIRED']

/** What is wrong with the link of a mail that led here, by the code in the address; null for any other code. */
export function linkProblem(code: string | null): string | null {
  return linkProblems.some((known) => known === code) ? signInProblem(code) : null
}

/** Why a sign-in came back without success, by the code in the address; null where nothing is said. */
export function signInProblem(code: string | null): string | null {
  if (code === null || code === '') return null
  return (
    (Object.hasOwn(texts, code) ? texts[code] : null) ?? 'The sign-in did not succeed. Please sign in again.'
  )
}
