import { randomUUID } from 'node:crypto'
import { type App, createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { ServerDeps } from '#server/deps.ts'
import { createLog } from '#server/log.ts'
import { createIdentity } from '#server/providers/identity/create-identity.ts'
import { createSmtp } from '#server/providers/smtp/create-smtp.ts'
import { createStripeGuide } from '#server/providers/stripe/guide.ts'
import { createSeal } from '#server/seal.ts'
import { listOutbox } from '#server/store/accounts/outbox.ts'
import { createMail } from '#server/work/mail/carry-mail.ts'
import { watchCrossings } from '../crossings.ts'
import { newDatabase, type TestDatabase } from '../database.ts'
import { createDemoUser } from '../identity/demo-user.ts'
import { rememberHashes } from '../identity/password-hash.ts'
import { declareSecret, lookAt, watchAnswers } from '../leaks.ts'

export const origin = 'http://localhost:3000'
export const password = 'correct horse battery'

export type TestApp = {
  app: App
  deps: ServerDeps
  db: TestDatabase
  /** Another app on the same database; its answers are searched like those of `app`. */
  watch(app: App): App
  close(): Promise<void>
  newBrowser(): TestBrowser
  /** A browser signed in as a verified user with an organization of their own. */
  signedIn(
    email: string,
    organizationName: string,
  ): Promise<TestBrowser & { organizationId: number; userId: number }>
  /** The newest mail to the address. */
  mailTo(email: string): Promise<{ subject: string; body: string; link: string | null }>
}

type Answer = { status: number; body: Record<string, never> & object; headers: Headers; text: string }
export type TestBrowser = ReturnType<typeof createBrowser>

/** Tests make hundreds of calls a second as one person. */
export const unlimited = () => {}

/** The app on its own database. The provider ports are missing: a call to one fails the test. */
export async function openTestApp(environment: Record<string, string> = {}): Promise<TestApp> {
  rememberHashes()
  const db = await newDatabase()
  const sealKey = Buffer.alloc(32, 7).toString('base64')
  declareSecret('the sealing key', sealKey)
  declareSecret('the password of the test', password)
  const config = readConfig({
    SEAL_KEYS: `1:${sealKey}`,
    DATABASE_URL: db.databaseUrl,
    PUBLIC_URL: origin,
    STRIPE_API_URL: 'http://stripe.test',
    HUBSPOT_API_URL: 'http://hubspot.test',
    HUBSPOT_APP_URL: 'http://hubspot-app.test',
    ...environment,
  })
  // Nobody reads this log; it is searched for secrets.
  const log = createLog({ level: 'debug', name: 'test' }, { write: (line) => lookAt('log', 'a line', line) })
  const seal = createSeal(config.sealKeys)
  declareSecret('the key of the identity library', seal.derive('identity'))
  declareSecret("the app's secret at HubSpot", config.hubspot.clientSecret ?? 'no app')
  const { database } = db
  const mail = createMail({ server: createSmtp(config), database, log })
  const deps: ServerDeps = {
    config,
    database,
    now: () => new Date('2026-05-20T12:00:00Z'),
    newId: randomUUID,
    sleep: async () => {},
    log,
    seal,
    mail,
    payments: unavailable('payments', { name: 'Stripe', guide: createStripeGuide() }),
    crm: unavailable('crm', {
      name: 'HubSpot',
      hasApp: true,
      keyPlace: 'settings',
      keyScopes: [],
      ...{ planObjects: () => [], missingScopes: () => [] },
    }),
    identity: createIdentity({
      config,
      database,
      mail,
      seal,
      log,
      now: () => new Date('2026-05-20T12:00:00Z'),
      isRateLimited: false,
    }),
    enqueue: async () => {},
    enlist: async () => {},
    ...{ rates: null, observeLags: () => {} },
  }
  const crossings = watchCrossings(db.ownerUrl)
  const watch = (watched: App) => watchAnswers(watched, crossings.note)
  const app = watch(createApp(deps, { limitCalls: unlimited }))
  const newBrowser = () => createBrowser(app)
  return {
    app,
    deps,
    db,
    watch,
    close: async () => {
      await crossings.search()
      await db.close()
    },
    newBrowser,
    async signedIn(email, organizationName) {
      const made = await createDemoUser(deps, { email, password, name: email, organizationName })
      const browser = newBrowser()
      await browser.post('/api/identity/sign-in/email', { email, password })
      return Object.assign(browser, made)
    },
    async mailTo(email) {
      const mails = await listOutbox(database)
      const found = mails.find(({ recipient }) => recipient === email)
      if (found === undefined) throw new Error(`No mail to ${email}`)
      return found
    },
  }
}

/** A port that knows what it is without asking, and fails whatever is asked of it. */
function unavailable(port: string, known: Record<string, unknown>): never {
  const refuse = () => Promise.reject(new Error(`${port} was called`))
  return new Proxy(known, {
    get: (_, key) => (typeof key === 'string' && key in known ? known[key] : refuse),
  }) as never
}

/** Keeps cookies and sends the product's own origin, like a browser's page. */
function createBrowser(app: App) {
  const cookies = new Map<string, string>()
  async function send(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    const response = await app.fetch(
      new Request(new URL(path, origin), { ...init, headers, redirect: 'manual' }),
    )
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const text = await response.text()
    return { status: response.status, body: jsonOf(text), headers: response.headers, text }
  }
  const change =
    (method: string) =>
    (path: string, body: unknown = {}) =>
      send(path, {
        method,
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
  return {
    cookies,
    send,
    get: (path: string) => send(path),
    post: change('POST'),
    put: change('PUT'),
    patch: change('PATCH'),
  }
}

function jsonOf(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
