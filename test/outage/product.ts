import { serve } from '@hono/node-server'
import { hashPassword } from 'better-auth/crypto'
import { addVerifiedUser } from '#server/store/accounts/users.ts'
import { applicationUrl } from '#server/store/installation/application-role.ts'
import { openDatabase } from '#server/store/postgres/database.ts'
import { createHubspotSimulator, type HubspotSimulator } from '#simulators/hubspot/simulator.ts'
import { createStripeSimulator } from '#simulators/stripe/simulator.ts'
import { freePort } from '../../tools/postgres.ts'
import { goldenWorld } from '../import/golden-world.ts'
import { liftBudgets } from '../lift-budgets.ts'
import { type Part, startPart } from './processes.ts'
import { createVisitor, type OutageVisitor } from './visitor.ts'

export const portalId = 24_180_001
const person = { email: 'pat@harbour.example', password: 'correct horse battery' }

/** Server and worker as real processes on a database, with simulated providers that stay up. */
export type OutageProduct = {
  origin: string
  ownerUrl: string
  server: Part
  worker: Part
  hubspot: HubspotSimulator
  /** Signed in as the owner of an organization with both providers connected. */
  visit: OutageVisitor
  close(): Promise<void>
}

export async function startOutageProduct({
  databaseUrl,
  ownerUrl,
}: {
  databaseUrl: string
  ownerUrl: string
}): Promise<OutageProduct> {
  const stripe = createStripeSimulator({ world: goldenWorld(), limits: null, wait: async () => {} })
  const [stripePort, hubspotPort, port] = [await freePort(), await freePort(), await freePort()]
  const hubspotUrl = `http://127.0.0.1:${hubspotPort}`
  const hubspot = createHubspotSimulator({
    clock: Date.now,
    appUrl: hubspotUrl,
    apiUrl: hubspotUrl,
    rateLimit: { per10s: 1_000_000, searchPerSecond: 1_000_000 },
    searchLagMs: 0,
    schemaSettleMs: 0,
  })
  const providers = [
    serve({ fetch: (request) => stripe.fetch(request), port: stripePort, hostname: '127.0.0.1' }),
    serve({ fetch: (request) => hubspot.fetch(request), port: hubspotPort, hostname: '127.0.0.1' }),
  ]
  const origin = `http://localhost:${port}`
  const environment = {
    DATABASE_URL: databaseUrl,
    SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    PORT: String(port),
    PUBLIC_URL: origin,
    STRIPE_API_URL: `http://127.0.0.1:${stripePort}`,
    STRIPE_DASHBOARD_URL: 'https://dashboard.example',
    HUBSPOT_API_URL: hubspotUrl,
    HUBSPOT_APP_URL: hubspotUrl,
  }
  await addPerson(databaseUrl)
  await liftBudgets(ownerUrl)
  const server = await startPart(['src/server/main.ts'], environment)
  const worker = await startPart(['src/cli/tributary.ts', 'worker'], environment)
  const visit = createVisitor(origin)
  await settleIn(visit, hubspot)
  return {
    origin,
    ownerUrl,
    server,
    worker,
    hubspot,
    visit,
    async close() {
      await Promise.all([server.stop(), worker.stop()])
      for (const provider of providers) {
        if ('closeAllConnections' in provider) provider.closeAllConnections()
        provider.close()
      }
    },
  }
}

async function addPerson(databaseUrl: string): Promise<void> {
  const database = openDatabase({
    url: () => applicationUrl(databaseUrl),
    poolSize: 1,
    statementTimeoutMs: 10_000,
    onError: () => {},
  })
  const passwordHash = await hashPassword(person.password)
  await addVerifiedUser(database, { email: person.email, name: 'Pat', passwordHash })
  await database.destroy()
}

async function settleIn(visit: OutageVisitor, hubspot: HubspotSimulator): Promise<void> {
  const ask = async (path: string, body?: object) => {
    const answer = await visit(path, body)
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  await ask('/api/identity/sign-in/email', person)
  await ask('/api/identity/organization/create', { name: 'Harbour', slug: 'harbour' })
  await ask('/api/stripe/connect', { apiKey: 'sk_test_tributary_demo' })
  const page = new URL(String((await ask('/api/hubspot/auth-url'))['authUrl']))
  const form = new URLSearchParams(page.search)
  form.set('hub_id', String(portalId))
  form.set('decision', 'allow')
  const allowed = await hubspot.fetch(
    new Request(new URL(page.pathname, page), { method: 'POST', body: form, redirect: 'manual' }),
  )
  const back = new URL(allowed.headers.get('location') ?? '')
  await ask(back.pathname + back.search)
}
