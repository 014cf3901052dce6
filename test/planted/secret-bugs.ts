import type { Bug } from './bug.ts'

const canaries = 'test/safety/canaries.test.ts'
const demoDoor = 'src/server/api/account/demo-door.test.ts'
const app = 'src/server/app.test.ts'
const keys = 'src/cli/keys-and-revocation.test.ts'
const payments = 'src/server/work/connections/organization-key.test.ts'
const webhooks = 'src/server/api/connections/webhooks.test.ts'

/** Misplaced secrets, unverified deliveries, and provider data that gets executed. */
export const secretBugs: readonly Bug[] = [
  {
    name: 'a header in the log',
    file: 'src/server/app.ts',
    text: '{ requestId, ...answered },',
    replacement: `{ requestId, ...answered, sent: c.req.header('cookie') },`,
    caughtBy: [canaries, 'shows no secret in any answer or line'],
  },
  {
    name: 'a body in the log',
    file: 'src/server/api/connections/connections.ts',
    text: 'const { apiKey, account, resetData = false } = body',
    replacement: `const { apiKey, account, resetData = false } = body\n    deps.log.info({ body }, 'connecting')\n    deps.log.info(\`connecting \${apiKey}\`)`,
    caughtBy: [canaries, 'shows no secret in any answer or line'],
  },
  {
    name: 'another key under the version of the lost one',
    file: 'src/server/require-seal-keys.ts',
    text: 'return [...tried]',
    replacement: 'return [...tried].slice(tried.size)',
    caughtBy: [keys, 'does not start, because people would enter keys'],
  },
  {
    name: 'half a backup that takes the name of another one',
    file: 'src/cli/whole-file.ts',
    text: "${file}.${randomBytes(4).toString('hex')}.partial",
    replacement: '${file}.partial',
    caughtBy: ['src/cli/backup.test.ts', 'is whole where two are written to one file at once'],
  },
  {
    name: 'a backup that others on the machine may read',
    file: 'src/cli/whole-file.ts',
    text: "'wx', 0o600",
    replacement: "'wx', 0o644",
    caughtBy: ['src/cli/backup.test.ts', 'is readable by its owner alone'],
  },
  {
    name: 'a lost key that nothing can start without',
    file: 'src/server/work/connections/revoke-all.ts',
    text: 'if (!isErasureKeyOpen && isKeyLost) await deleteErasureKey(tenant)',
    replacement: '',
    caughtBy: [keys, 'lets an installation start whose key is lost for good'],
  },
  {
    name: 'the token of a session within reach of scripts',
    file: 'src/server/providers/identity/create-identity.ts',
    text: 'return withoutTokens(answer)',
    replacement: 'return answer',
    caughtBy: [canaries, 'shows no secret in any answer or line'],
  },
  {
    name: 'a service key of HubSpot in the log',
    file: 'src/server/work/connections/connect-crm-by-key.ts',
    text: 'const missing = crm.missingScopes(scopes, ',
    replacement: `deps.log.info(\`looked at \${serviceKey}\`)\n  const missing = crm.missingScopes(scopes, `,
    caughtBy: [canaries, 'shows no secret in any answer or line'],
  },
  {
    name: 'a service key of HubSpot shown whole',
    file: 'src/server/work/crm/sealed-tokens.ts',
    text: "return `${prefix}••••${rest.length > 8 ? rest.slice(-4) : ''}`",
    replacement: 'return key',
    caughtBy: [canaries, 'shows no secret in any answer or line'],
  },
  {
    name: 'a service key for one act kept in place of the consent',
    file: 'src/server/work/connections/create-objects-by-key.ts',
    text: '  const session = {',
    replacement: `  const { keyConnectionOf } = await import('../crm/sealed-tokens.ts')
  const { saveConnection } = await import('../../store/connections/connections.ts')
  const { inOrganization } = await import('../../store/postgres/database.ts')
  const kept = keyConnectionOf(deps, organizationId, { ...key, serviceKey }, {}, deps.now())
  await inOrganization(deps.database, organizationId, (tenant) => saveConnection(tenant, kept))
  const session = {`,
    caughtBy: ['src/server/work/connections/create-objects-by-key.test.ts', 'is stored nowhere'],
  },
  {
    name: 'the key of Stripe shown whole',
    file: 'src/server/work/connections/payments-connection.ts',
    text: "return `${prefix}••••${rest.length > 8 ? rest.slice(-4) : ''}`",
    replacement: 'return apiKey',
    caughtBy: [canaries, 'leaves secrets in the database only sealed or hashed'],
  },
  {
    name: 'a key of an organization that names no account in its requests',
    file: 'src/server/providers/stripe/create-stripe-payments.ts',
    text: '...(context !== null && { stripeContext: context }),',
    replacement: '',
    caughtBy: [payments, 'names the account in each request of a whole import'],
  },
  {
    name: 'an organization that can be told to read every account of it unseen',
    file: 'src/server/work/connections/connect-payments.ts',
    text: '!isOther(asMirror(existing), account, null)',
    replacement: 'true',
    caughtBy: [
      'src/server/api/connections/connection-roles.test.ts',
      'that the same key of an organization reads another account',
    ],
  },
  {
    name: 'a key of an organization taken without an account',
    file: 'src/server/work/connections/payments-key.ts',
    text: "if (!isOrganizationKey(apiKey)) {\n    if (accountId === '') return null",
    replacement: "if (accountId === '') return null\n  if (!isOrganizationKey(apiKey)) {",
    caughtBy: [payments, 'before anything is sent'],
  },
  {
    name: "a provider's error passed on as it came",
    file: 'src/server/providers/redacted.ts',
    text: "const known = credentials.reduce((rest, shape) => rest.replace(shape, '[removed]'), cut(text))",
    replacement: 'return text\n  const known = cut(text)',
    caughtBy: [canaries, 'shows no secret in any answer or line'],
  },
  {
    name: 'a secret kept unsealed',
    file: 'src/server/work/connections/payment-webhook.ts',
    text: 'sealedSecret: deps.seal.seal(webhookSealPlace(organizationId), secret),',
    replacement: 'sealedSecret: secret,',
    caughtBy: [canaries, 'leaves secrets in the database only sealed or hashed'],
  },
  {
    name: 'the link of a new password readable in the database',
    file: 'src/server/providers/identity/create-auth.ts',
    text: `verification: { storeIdentifier: 'hashed' },`,
    replacement: '',
    caughtBy: [canaries, 'leaves secrets in the database only sealed or hashed'],
  },
  {
    name: 'names of customers in the log',
    file: 'src/server/api/organization/organization.ts',
    text: `const found = await findMembership(deps.database, actor.userId, body.organizationId)`,
    replacement: `const found = await findMembership(deps.database, actor.userId, body.organizationId)\n    deps.log.info({ name: found?.name, by: actor.email }, 'switching')`,
    caughtBy: [canaries, 'shows no secret in any answer or line'],
  },
  {
    name: 'a signature over the parsed body',
    file: 'src/server/providers/stripe/read-delivery.ts',
    text: 'verifyHeader(\n      text,',
    replacement: 'verifyHeader(\n      JSON.stringify(JSON.parse(text)),',
    caughtBy: [webhooks, 'written otherwise'],
  },
  {
    name: 'an old delivery played again',
    file: 'src/server/providers/stripe/read-delivery.ts',
    text: 'const toleranceSeconds = 300',
    replacement: 'const toleranceSeconds = 0',
    caughtBy: [webhooks, 'signed too long ago'],
  },
  {
    name: 'markup in a mail shown as markup',
    file: 'src/server/http/outbox-page.ts',
    text: '<h2>${escapeHtml(subject)}</h2>',
    replacement: '<h2>${subject}</h2>',
    caughtBy: [app, 'shows mail as text'],
  },
  {
    name: "everyone's mail shown beside a real mail server",
    file: 'src/server/settings/simulated-mode.ts',
    text: 'return smtpUrl === null && ',
    replacement: 'return ',
    caughtBy: [app, 'is not there once mail is real'],
  },
  {
    name: 'a demo that anybody enters beside real data',
    file: 'src/server/providers/identity/demo-door.ts',
    text: 'return config.oidc === null && isSimulatedMode(config)',
    replacement: 'return true',
    caughtBy: [demoDoor, 'is closed where anything is real'],
  },
  {
    name: 'a failed request that is kept with whom its path names',
    file: 'src/server/providers/failed-request.ts',
    text: 'path: withoutIds(path)',
    replacement: 'path',
    caughtBy: ['src/server/providers/failed-request.test.ts', 'leaves out whom a path names'],
  },
  {
    name: "a stranger's request that raises an operator's alarm",
    file: 'src/server/providers/identity/library-log.ts',
    text: "level === 'error' && error !== undefined",
    replacement: "level === 'error'",
    caughtBy: ['src/server/providers/identity/library-log.test.ts', 'tells '],
  },
]
