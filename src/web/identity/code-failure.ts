import { failureText } from './identity.ts'

type CodeFailure = Parameters<typeof failureText>[0] & { code?: string }

const texts: Record<string, string> = {
  INVALID_CODE: 'This code is incorrect. Enter the one that your app shows now.',
  INVALID_BACKUP_CODE: 'This recovery code is incorrect, or it was used already.',
  INVALID_TWO_FACTOR_COOKIE: 'The sign-in took too long. Go back and enter your password again.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many wrong codes. Go back and enter your password again.',
}

/** Why a code was refused, during the sign-in. */
export function codeFailureText(error: CodeFailure): string {
  return texts[error.code ?? ''] ?? failureText(error, 'The code could not be checked. Please try again.')
}

/** Why a code was refused that a signed-in person entered. Without a session, the server looks for a sign-in. */
export function ownCodeFailureText(error: CodeFailure): string {
  return error.code === 'INVALID_TWO_FACTOR_COOKIE'
    ? 'Your session has ended. Sign in again.'
    : codeFailureText(error)
}
