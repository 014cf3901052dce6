import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, password, type TestApp } from '#test/api/test-app.ts'
import { run } from '#test/database.ts'
import { createDemoUser } from '#test/identity/demo-user.ts'
import { createApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { createIdentity } from '../../providers/identity/create-identity.ts'
import { demoEmail } from '../../settings/simulated-mode.ts'

let test: TestApp
let organizationId: number
beforeAll(async () => {
  test = await openTestApp()
  const demo = { email: demoEmail, password, name: 'Robin Demo', organizationName: 'Harbour Demo' }
  organizationId = (await createDemoUser(test.deps, demo)).organizationId
})
afterAll(() => test.close())

const door = '/api/identity/sign-in/demo'

/** What a visitor finds at the same database with other settings. */
async function visit(environment: Record<string, string>) {
  const config = readConfig({
    DATABASE_URL: test.db.databaseUrl,
    SEAL_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    PUBLIC_URL: 'http://localhost:3000',
    STRIPE_API_URL: 'http://stripe.test',
    HUBSPOT_API_URL: 'http://hubspot.test',
    HUBSPOT_APP_URL: 'http://hubspot-app.test',
    MAIL_FROM: 'a@sender.example',
    ...environment,
  })
  const identity = createIdentity({ ...test.deps, config, isRateLimited: false })
  const app = test.watch(createApp({ ...test.deps, config, identity }))
  const init = {
    method: 'POST',
    headers: { origin: config.publicUrl, 'content-type': 'application/json' },
    body: '{}',
  }
  const about = await app.fetch(new Request(`${config.publicUrl}/api/about`))
  const entered = await app.fetch(new Request(`${config.publicUrl}${door}`, init))
  return {
    hasDemo: (await about.json()).hasDemo,
    status: entered.status,
    cookies: entered.headers.getSetCookie(),
  }
}

describe('the demo door', () => {
  it('opens the demo organization with one call, as its owner', async () => {
    const visitor = test.newBrowser()
    expect((await visitor.get('/api/about')).body).toMatchObject({ hasDemo: true })
    expect((await visitor.post(door)).status).toBe(200)
    expect((await visitor.get('/api/auth/current-user')).body).toMatchObject({
      email: demoEmail,
      emailAddresses: [demoEmail],
      organization: { id: organizationId, role: 'owner' },
    })
  })

  const live = { PROVIDERS: 'live', PUBLIC_URL: 'https://tributary.example.com' }
  it.each([
    ['mail', { SMTP_URL: 'smtp://mail.example.com' }],
    ['Stripe', { STRIPE_API_URL: 'https://api.stripe.com', SMTP_URL: 'smtp://mail.example.com' }],
    ['both providers', { ...live, SMTP_URL: 'smtp://mail.example.com' }],
    [
      'the sign-in',
      {
        OIDC_ISSUER: 'https://login.example.com',
        OIDC_CLIENT_ID: 'id',
        OIDC_CLIENT_SECRET: 'a-secret-of-the-test',
      },
    ],
  ])('is closed where anything is real: %s', async (_, environment) => {
    expect(await visit(environment)).toEqual({ hasDemo: false, status: 404, cookies: [] })
  })

  it('is not offered where there is no demo, and says so', async () => {
    await run(test.db.ownerUrl, `update "user" set email = 'robin@moved.example'`)
    const visitor = test.newBrowser()
    const about = await visitor.get('/api/about')
    expect(about.body).toMatchObject({ hasDemo: false, simulatedStripeUrl: 'http://stripe.test' })
    const answer = await visitor.post(door)
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('Try again in a minute')])
  })
})
