/** The identity library answers everything below this path. */
export const identityPath = '/api/identity'
/** Our own server sets this header from the connection; it never comes from a caller. */
export const addressHeader = 'x-tributary-address'

/** Asks for another email address; `/look` below it tells what the link of a mail changes, `/confirm` takes the link. */
export const emailChangePath = '/change-email'

/** The library's calls that callers may reach. All others answer as if they did not exist. */
export const servedCalls: ReadonlySet<string> = new Set([
  'POST /sign-in/email',
  'POST /sign-in/demo',
  'POST /sign-in/social',
  'POST /sign-up/email',
  'POST /sign-up/complete',
  'POST /sign-out',
  'POST /request-password-reset',
  'POST /reset-password',
  'POST /change-password',
  'POST /update-user',
  `POST ${emailChangePath}`,
  `POST ${emailChangePath}/look`,
  `POST ${emailChangePath}/confirm`,
  'POST /send-verification-email',
  'POST /two-factor/enable',
  'POST /two-factor/verify-totp',
  'POST /two-factor/verify-backup-code',
  'POST /two-factor/generate-backup-codes',
  'POST /two-factor/disable',
  'GET /verify-email',
  'GET /callback/oidc',
])

/** Whether the method and path below /api/identity may be called. */
export function isServed(method: string, path: string): boolean {
  return (
    servedCalls.has(`${method} ${path}`) ||
    (method === 'GET' && /^\/reset-password\/[\w-]{1,100}$/.test(path))
  )
}
