import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { createSeal } from '#server/seal.ts'
import { paymentsSealPlace } from '#server/work/connections/payments-connection.ts'
import { crmSealPlace } from '#server/work/crm/sealed-tokens.ts'
import { startSimulators } from '#simulators/start-simulators.ts'
import { newDatabase, run, type TestDatabase } from '../database.ts'
import { type HostedProvider, openHostedProvider } from '../identity/hosted-provider.ts'
import { objectScopes, recordScopes } from '../push/service-keys.ts'

const sealKey = Buffer.alloc(32, 7)
const seal = createSeal(new Map([[1, sealKey]]))
const mailPassword = 'a-secret-of-the-test'
const hubId = 24_180_001

/** Everything that an installation needs around it, over real ports, with one organization that is connected. */
export type Installation = {
  db: TestDatabase
  provider: HostedProvider
  settings(more?: Record<string, string>): Record<string, string>
  /** What may be shown nowhere. */
  secrets: string[]
  smtpUrl(password?: string): string
  connectStripe(key?: string): Promise<void>
  /** Makes a service key with these scopes, and connects with it; or with the given key. */
  connectHubspot(by?: { scopes?: readonly string[]; key?: string }): Promise<void>
  changePortal(settings: object): Promise<void>
  close(): Promise<void>
}

export async function stageInstallation(): Promise<Installation> {
  const db = await newDatabase()
  const simulators = await startSimulators({ stripePort: 0, hubspotPort: 0, customers: 5, nowMs: Date.now })
  const provider = await openHostedProvider()
  const mailServer = await openMailServer()
  const smtpUrl = (password = mailPassword) =>
    `smtp://kim:${password}@127.0.0.1:${(mailServer.server.address() as AddressInfo).port}?ignoreTLS=true`
  const control = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${simulators.hubspotUrl}/_control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ hubId, ...body }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as Record<string, unknown>
  }
  await run(
    db.ownerUrl,
    `insert into organization (name, slug, "createdAt") values ('One', 'one', now()), ('Two', 'two', now())`,
  )
  const installation: Installation = {
    db,
    provider,
    smtpUrl,
    secrets: [
      mailPassword,
      sealKey.toString('base64'),
      new URL(db.databaseUrl).password,
      'sk_test_',
      'pat-na1',
    ],
    settings: (more = {}) => ({
      DATABASE_URL: db.databaseUrl,
      SEAL_KEYS: `1:${sealKey.toString('base64')}`,
      STRIPE_API_URL: simulators.stripeUrl,
      HUBSPOT_API_URL: simulators.hubspotUrl,
      HUBSPOT_APP_URL: simulators.hubspotUrl,
      SMTP_URL: smtpUrl(),
      MAIL_FROM: 'tributary@harbour.example',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      ...more,
    }),
    connectStripe: (key = 'sk_test_tributary_demo') =>
      connect(db, 'payments', null, seal.seal(paymentsSealPlace(1), key)),
    async connectHubspot({ scopes = [...recordScopes, ...objectScopes], key } = {}) {
      const accessToken = key ?? String((await control('service-key', { scopes }))['key'])
      const tokens = JSON.stringify({ accessToken, refreshToken: null })
      await connect(db, 'crm', String(hubId), seal.seal(crmSealPlace(1), tokens))
    },
    changePortal: async (settings) => void (await control('settings', settings)),
    async close() {
      await db.close()
      await simulators.stop()
      await provider.close()
      await new Promise<void>((done) => mailServer.close(() => done()))
    },
  }
  await installation.connectStripe()
  await installation.connectHubspot()
  return installation
}

async function openMailServer(): Promise<SMTPServer> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _, done) =>
      password === mailPassword ? done(null, { user: 'kim' }) : done(new Error('no such user')),
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  return server
}

async function connect(db: TestDatabase, provider: string, accountId: string | null, sealed: string) {
  await run(
    db.ownerUrl,
    `insert into connections (organization_id, provider, account_id, sealed_secret, secret_hint)
       values (1, $1, $2, $3, '…')
     on conflict (organization_id, provider) do update
       set sealed_secret = excluded.sealed_secret, warning = null`,
    [provider, accountId, sealed],
  )
}
