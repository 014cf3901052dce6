import { demoEmail } from '#server/settings/simulated-mode.ts'
import { consent } from './consent.ts'

/** Fills the demo organization through the product's public interface, as a person with a browser would. */
export const demo = {
  name: 'Robin Demo',
  email: demoEmail,
  password: 'tributary-demo-2026',
  organizationName: 'Harbour Demo',
}

type Answer = Record<string, unknown>
const pollMs = 1_000
const waitMaxMs = 10 * 60_000

/** Signs in (or up), connects both simulated providers, imports, pushes and finishes the setup; skips completed steps. */
export async function fillDemo(options: { address: string; say: (line: string) => void }): Promise<void> {
  const browser = await openDemo(options.address)
  const user = await browser.call('GET', '/api/auth/current-user')
  if (user['setupComplete']) return
  if (user['needsOrganization']) await createOrganization(browser)

  options.say('Filling the demo organization: importing two years of history from the simulated Stripe …')
  const about = await browser.call('GET', '/api/about')
  const status = (await browser.call('GET', '/api/connection-status')) as { stripe: Answer; hubspot: Answer }
  if (!status.hubspot['dbConnected']) await connectHubspot(browser)
  if (!status.stripe['dbConnected'])
    await browser.call('POST', '/api/stripe/connect', { apiKey: about['demoStripeKey'] })

  await untilIdle(browser)
  const started = await browser.call('POST', '/api/import/historical', {})
  const imported = await untilDone(() =>
    browser.call('GET', `/api/sync/import-status/${started['importId']}`),
  )
  options.say(`Stripe: ${imported['message']}`)

  const push = await browser.call('POST', '/api/sync/push-all', { follows: started['importId'] })
  const pushed = await untilDone(() => browser.call('GET', `/api/sync/status/${push['importId']}`))
  options.say(`HubSpot: ${pushed['message']}`)
  await browser.call('PATCH', '/api/setup/progress', { currentStep: 'finish', setupComplete: true })
  options.say('The demo organization is ready.')
}

/** The product as the demo's owner sees it, signed in (or up). */
export async function openDemo(address: string): Promise<Browser> {
  const browser = createBrowser(address)
  await signIn(browser)
  return browser
}

async function untilDone(ask: () => Promise<Answer>): Promise<Answer> {
  for (let waited = 0; waited < waitMaxMs; waited += pollMs) {
    const answer = await ask()
    if (answer['status'] === 'completed') return answer
    if (answer['status'] !== 'in_progress') throw new Error(String(answer['error'] ?? answer['message']))
    await new Promise((next) => setTimeout(next, pollMs))
  }
  throw new Error('it took too long')
}

/** Runs that an earlier start left unfinished continue by themselves. */
async function untilIdle(browser: Browser): Promise<void> {
  const { runningImportId, runningSyncId } = await browser.call('GET', '/api/sync/status')
  const running = runningImportId ?? runningSyncId
  if (running)
    await untilDone(() => browser.call('GET', `/api/sync/import-status/${running}`)).catch(() => {})
}

type Browser = ReturnType<typeof createBrowser>

async function signIn(browser: Browser): Promise<void> {
  const credentials = { email: demo.email, password: demo.password }
  const known = await browser.fetch('POST', '/api/identity/sign-in/email', credentials)
  if (known.ok) return
  await browser.call('POST', '/api/identity/sign-up/email', { name: demo.name, ...credentials })
  const outbox = await (await browser.fetch('GET', '/outbox')).text()
  const link = /href="([^"]*\/verify-email[^"]*)"/.exec(outbox)?.[1]?.replaceAll('&amp;', '&')
  if (!link) throw new Error('the verification mail did not arrive')
  await browser.fetch('GET', link)
  await browser.call('POST', '/api/identity/sign-in/email', credentials)
}

async function createOrganization(browser: Browser): Promise<void> {
  await browser.call('POST', '/api/identity/organization/create', {
    name: demo.organizationName,
    slug: 'harbour-demo',
  })
}

/** Consents on HubSpot's page and follows the redirect back. */
async function connectHubspot(browser: Browser): Promise<void> {
  const { authUrl } = await browser.call('GET', '/api/hubspot/auth-url')
  await browser.fetch('GET', await consent(String(authUrl)))
  const { connected } = await browser.call('GET', '/api/hubspot/verify')
  if (!connected) throw new Error('the simulated HubSpot was not connected')
}

/** A fetch that keeps cookies and sends the product's own origin. */
function createBrowser(address: string) {
  const cookies = new Map<string, string>()
  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(new URL(path, address), {
      method,
      redirect: 'manual',
      headers: {
        origin: new URL(address).origin,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    return response
  }
  return {
    fetch: send,
    async call(method: string, path: string, body?: unknown): Promise<Answer> {
      const response = await send(method, path, body)
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
      return text ? JSON.parse(text) : {}
    },
  }
}
