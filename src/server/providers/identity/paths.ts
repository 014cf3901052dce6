/** Below it the identity library answers. */
export const identityPath = '/api/identity'
/** Set by our own server from the connection, never taken from a caller. */
export const addressHeader = 'x-tributary-address'

/** What of the identity library a caller may reach. Everything else it knows is not there. */
export const servedCalls: ReadonlySet<string> = new Set([
  'POST /sign-in/email',
  'POST /sign-in/social',
  'POST /sign-up/email',
  'POST /sign-up/complete',
  'POST /sign-out',
  'POST /request-password-reset',
  'POST /reset-password',
  'POST /change-password',
  'POST /update-user',
  'POST /send-verification-email',
  'GET /verify-email',
  'GET /callback/oidc',
])

/** Whether the method and path below /api/identity are served. */
export function isServed(method: string, path: string): boolean {
  return (
    servedCalls.has(`${method} ${path}`) ||
    (method === 'GET' && /^\/reset-password\/[\w-]{1,100}$/.test(path))
  )
}
