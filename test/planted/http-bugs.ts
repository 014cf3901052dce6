import type { Bug } from './bug.ts'

const app = 'src/server/app.test.ts'
const validators = 'test/safety/validators.test.ts'
const http = 'test/safety/http.test.ts'
const wall = 'src/server/providers/stripe/guarded-client.test.ts'

/** Holes in what comes in from browsers and senders, and in what goes out to providers. */
export const httpBugs: readonly Bug[] = [
  {
    name: 'strangers who ask as fast as they can',
    file: 'src/server/identity-route.ts',
    text: 'limitStrangers(address)',
    replacement: '',
    caughtBy: [
      'src/server/http/call-limit.test.ts',
      'is limited in the calls of the product and of the identity',
    ],
  },
  {
    name: 'a question to the database for everybody who asks whether it answers',
    file: 'src/server/health-routes.ts',
    text: 'const pending = await findPending()',
    replacement: 'const pending = await findPendingMigrations(deps.database)',
    caughtBy: ['src/server/health-routes.test.ts', 'asks the database once a second'],
  },
  {
    name: 'a password of any length looked through for a pattern at its end',
    file: 'src/server/providers/identity/weak-password.ts',
    text: `  if (password.length > passwordMaxLength) {
    return \`Choose a password of at most \${passwordMaxLength} characters.\`
  }
  if (`,
    replacement: `  password.replace(/[^a-z]+$/g, '')
  if (`,
    caughtBy: [validators, 'costs no more than twice as much for twice the text'],
  },
  {
    name: 'the words of a provider looked through at any length',
    file: 'src/server/providers/redacted.ts',
    text: 'if (text.length <= lengthMax) return text',
    replacement: 'if (text.length <= Number.POSITIVE_INFINITY) return text',
    caughtBy: [validators, 'costs no more than twice as much for twice the text'],
  },
  {
    name: 'changes from any site',
    file: 'src/server/http/serve.ts',
    text: 'if (isChange) requireSameOrigin(request.headers, router.deps.config.publicUrl)',
    replacement: '',
    caughtBy: [http, 'that comes from another site is refused'],
  },
  {
    name: 'sign-in from any site',
    file: 'src/server/identity-route.ts',
    text: 'if (isChange) requireSameOrigin(request.headers, deps.config.publicUrl)',
    replacement: '',
    caughtBy: [http, 'that comes from another site by fetch metadata'],
  },
  {
    name: 'fetch metadata unread',
    file: 'src/server/http/same-origin.ts',
    text: ` || (site !== null && site !== 'same-origin')`,
    replacement: '',
    caughtBy: [http, 'by fetch metadata is refused'],
  },
  {
    name: 'an origin that begins like ours',
    file: 'src/server/http/same-origin.ts',
    text: '!ownOrigins(publicUrl).includes(origin)',
    replacement: '!ownOrigins(publicUrl).some((own) => origin.startsWith(own))',
    caughtBy: [http, 'a name that begins like ours'],
  },
  {
    name: 'calls without a limit',
    file: 'src/server/http/context.ts',
    text: 'limitCalls({ userId: session.user.id, organizationId: session.organization?.id ?? null })',
    replacement: '',
    caughtBy: ['src/server/http/call-limit.test.ts', 'is answered 429 with Retry-After'],
  },
  {
    name: 'a limit on calls that counts no organization',
    file: 'src/server/http/call-limit.ts',
    text: 'if (organizationId !== null) refuseIfLate',
    replacement: 'if (organizationId === -1) refuseIfLate',
    caughtBy: ['src/server/http/call-limit.test.ts', 'whose people ask too fast together'],
  },
  {
    name: 'an address that is in no table',
    file: 'src/server/app.ts',
    text: 'serveOutbox(hono, deps)',
    replacement: "serveOutbox(hono, deps)\n  hono.get('/debug', (c) => c.json(Object.keys(deps)))",
    caughtBy: ['test/safety/routes.test.ts', 'are the table of calls'],
  },
  {
    name: 'a redirect of HubSpot followed',
    file: 'src/server/providers/hubspot/exchange.ts',
    text: "redirect: 'manual'",
    replacement: "redirect: 'follow'",
    caughtBy: ['src/server/providers/hubspot/client.test.ts', 'follows no redirect'],
  },
  {
    name: 'a server without limits on senders',
    file: 'src/server/main.ts',
    text: 'serverOptions: serverLimits,',
    replacement: '',
    caughtBy: ['src/server/stop.test.ts', 'hangs up on a sender'],
  },
  {
    name: 'JSON sent as a form',
    file: 'src/server/http/read-body.ts',
    text: 'if (contentType !== null && !isJson(contentType)) {',
    replacement: 'if (false) {',
    caughtBy: [http, 'of any kind sent as text/plain'],
  },
  {
    name: 'bodies of any size',
    file: 'src/server/http/read-body.ts',
    text: 'if (length > maxBytes) throw tooLarge(maxBytes)',
    replacement: '',
    caughtBy: [http, 'larger than any body of ours'],
  },
  {
    name: 'a prototype in a body',
    file: 'src/server/http/read-body.ts',
    text: `if (key === '__proto__') throw new SyntaxError('__proto__')`,
    replacement: '',
    caughtBy: [app, 'with a prototype'],
  },
  {
    name: 'texts that no column can take',
    file: 'src/contract/fields.ts',
    text: `!value.includes('\\u0000') && `,
    replacement: '',
    caughtBy: [app, 'search=%00'],
  },
  {
    name: 'pages of any length',
    file: 'src/contract/fields.ts',
    text: '.refine((value) => value <= max,',
    replacement: '.refine(() => true,',
    caughtBy: [app, 'limit=101'],
  },
  {
    name: 'a value that only the database refuses taken for our fault',
    file: 'src/server/identity-route.ts',
    text: 'if (unusable.test(errorCodeOf(error)))',
    replacement: 'if (false)',
    caughtBy: ['test/safety/fuzzer.test.ts', 'is answered with a fault'],
  },
  {
    name: 'no HSTS',
    file: 'src/server/http/security-headers.ts',
    text: "...(publicUrl.startsWith('https://') && {",
    replacement: '...(publicUrl === null && {',
    caughtBy: [app, 'asks browsers to keep to https'],
  },
  {
    name: 'inline scripts',
    file: 'src/server/http/security-headers.ts',
    text: `"script-src 'self'",`,
    replacement: `"script-src 'self' 'unsafe-inline'",`,
    caughtBy: [app, 'carries the security headers'],
  },
  {
    name: 'an opener policy that loses the popup',
    file: 'src/server/http/security-headers.ts',
    text: `'cross-origin-opener-policy': 'same-origin-allow-popups'`,
    replacement: `'cross-origin-opener-policy': 'same-origin'`,
    caughtBy: [app, 'carries the security headers'],
  },
  {
    name: 'a fault of ours told to the caller',
    file: 'src/server/http/answer-error.ts',
    text: "return errorAnswer('internal', `Something went wrong on our side. Try again later. Reference: ${requestId}`)",
    replacement: `return errorAnswer('internal', String(error))`,
    caughtBy: [app, 'names a reference and nothing else'],
  },
  {
    name: "a redirect by startsWith('/') after a mailed link",
    file: 'src/server/identity-route.ts',
    text: 'if (!ownOrigins(publicUrl).includes(origin)) {',
    replacement: `if (!location.startsWith('/') && !ownOrigins(publicUrl).includes(origin)) {`,
    caughtBy: ['src/server/identity-route.test.ts', 'leads nobody to'],
  },
  {
    name: "a redirect by startsWith('/') after sign-in",
    file: 'src/web/paths.ts',
    text: 'target.origin !== base.origin) return fallback',
    replacement: `!value.startsWith('/')) return fallback`,
    caughtBy: ['src/web/paths.test.ts', ''],
  },
  {
    name: 'a sender waited for without end',
    file: 'src/server/http/server-limits.ts',
    text: 'requestTimeout: 30_000',
    replacement: 'requestTimeout: 0',
    caughtBy: ['src/server/http/server-limits.test.ts', 'waits ten seconds'],
  },
  {
    name: 'a flood of strangers let through',
    file: 'src/server/http/failure-limit.ts',
    text: 'if (failures >= max.count && !good.has(caller)) {',
    replacement: 'if (false) {',
    caughtBy: ['src/server/http/failure-limit.test.ts', 'shuts strangers out'],
  },
  {
    name: 'an address that the caller names',
    file: 'src/server/http/client-address.ts',
    text: 'peer].reverse()',
    replacement: 'peer]',
    caughtBy: ['src/server/http/client-address.test.ts', 'is not what the caller put before it'],
  },
  {
    name: 'a write to Stripe',
    file: 'src/server/providers/stripe/guarded-client.ts',
    text: "if (method !== 'GET') throw",
    replacement: 'if (false) throw',
    caughtBy: [wall, 'out'],
  },
  {
    name: 'a request to another host',
    file: 'src/server/providers/stripe/guarded-client.ts',
    text: 'if (url.origin !== this.#origin) throw',
    replacement: 'if (false) throw',
    caughtBy: [wall, 'lets nothing out to'],
  },
  {
    name: 'a redirect of a provider followed',
    file: 'src/server/providers/stripe/guarded-client.ts',
    text: 'if (answer.status >= 300 && answer.status < 400)',
    replacement: 'if (false)',
    caughtBy: [wall, 'follows no redirect'],
  },
]
