import { type App, createApp } from '#server/app.ts'
import type { ServerDeps } from '#server/deps.ts'
import { runWorks } from '#server/jobs/run-works.ts'
import { workOnRun } from '#server/jobs/work-on-run.ts'
import { createHubspotCrm } from '#server/providers/hubspot/create-hubspot-crm.ts'
import { createStripePayments } from '#server/providers/stripe/create-stripe-payments.ts'
import { addVerifiedUser } from '#server/store/accounts/users.ts'
import { createRateLimits } from '#server/store/connections/rate-limits.ts'
import type { RunKind } from '#server/store/runs/runs.ts'
import type { HubspotSimulatorOptions } from '#simulators/hubspot/options.ts'
import { createHubspotSimulator, type HubspotSimulator } from '#simulators/hubspot/simulator.ts'
import { createStripeSimulator, type StripeSimulator } from '#simulators/stripe/simulator.ts'
import type { SimulatedWorld as StripeWorld } from '#simulators/stripe/world/world.ts'
import { openTestApp, origin, password, unlimited } from './api/test-app.ts'
import { hashOf } from './identity/password-hash.ts'
import { demoKey, generatedWorld } from './import/stage-import.ts'
import { sendBy } from './providers/send-by.ts'
import { enterprise } from './push/open-bench.ts'

/** The whole product in one process: own database, both providers simulated through fetch, no port and no browser. */
export type TestWorld = {
  app: App
  deps: ServerDeps
  stripe: StripeSimulator
  /** The simulators of the further accounts, by key. */
  stripes: ReadonlyMap<string, StripeSimulator>
  hubspot: HubspotSimulator
  /** The database for the cluster's superuser, to look past row security. */
  ownerUrl: string
  /** The database as in DATABASE_URL: for its owner, who is no superuser. */
  databaseUrl: string
  /** The database for the application's restricted role. */
  applicationUrl: string
  now(): Date
  /** Works on every started run, and on the runs that these start, until none is left. */
  drain(): Promise<void>
  /** A new person, signed in. `organization` null creates none for them. */
  person(options?: { email?: string; organization?: string | null }): Promise<Person>
  /** A person who is not signed in. */
  stranger(): Browser
  close(): Promise<void>
}

export type Visitor = {
  /** Calls the app like a browser's page: from its origin, with the cookies it received. */
  fetch: typeof fetch
}

/** A visitor whose cookies a test can read and change. */
export type Browser = Visitor & { cookies: Map<string, string> }

export type Person = Browser & {
  email: string
  userId: number
  /** 0 without an organization. */
  organizationId: number
  /** Signs in again, as after a sign-out. */
  signIn(): Promise<void>
  /** Connects with the key of the world's own account, or of one of its `accounts`. */
  connectStripe(key?: string): Promise<void>
  /** Connects the portal with this number; without it, a large one. */
  connectHubspot(portal?: number): Promise<void>
  /** One call to the product; throws unless it succeeds. */
  post(path: string, body?: object): Promise<void>
}

const accountCustomers = 12

type Waiting = { organizationId: number; runId: string; kind: RunKind }

export type WorldOptions = {
  /** The contents of the simulated Stripe; by default a realistic small account. */
  account?: StripeWorld
  /** Further accounts, each with the only key that opens it. */
  accounts?: Readonly<Record<string, StripeWorld>>
  /** The portals of the simulated HubSpot and their contents. */
  crm?: Pick<HubspotSimulatorOptions, 'portals' | 'seedFrom'>
  /** Settings in addition to those of every test. */
  environment?: Record<string, string>
}

export async function newWorld(options: WorldOptions = {}): Promise<TestWorld> {
  const test = await openTestApp(options.environment)
  const { config } = test.deps
  const { stripe, stripes, fetchStripe } = simulateStripe(options)
  const clock = { ms: Date.parse(stripe.world.as_of) }
  const hubspot = createHubspotSimulator({
    ...options.crm,
    clock: () => clock.ms,
    appUrl: config.hubspot.appUrl,
    apiUrl: config.hubspot.apiUrl,
    rateLimit: { per10s: 1_000_000, searchPerSecond: 1_000_000 },
    wait: async () => {},
  })
  const time = {
    now: () => new Date(clock.ms),
    sleep: async (ms: number) => {
      clock.ms += ms
    },
  }
  const waiting: Waiting[] = []
  const deps: ServerDeps = {
    ...test.deps,
    ...time,
    payments: createStripePayments({
      ...time,
      send: sendBy(fetchStripe),
      apiUrl: config.stripe.apiUrl,
      paces: null,
    }),
    crm: createHubspotCrm({
      ...config.hubspot,
      ...time,
      fetch: (request) => hubspot.fetch(request),
      paces: createRateLimits(test.deps.database, time.now),
    }),
    enqueue: async ({ organizationId }, { id, kind }) => {
      waiting.push({ organizationId, runId: id, kind })
    },
  }
  const work = async (run: Waiting) => {
    const { kind, ...job } = run
    const postpone = async (_tenant: unknown, _run: unknown, waitMs: number) => {
      clock.ms += waitMs
      waiting.push(run)
    }
    // Without this, runs that start in the same millisecond would have no order in the history.
    clock.ms += 1_000
    const task = { kind, work: runWorks[kind], postpone }
    await workOnRun(deps, task, { version: 1, ...job }, new AbortController().signal)
    clock.ms += 1_000
  }
  const app = test.watch(createApp(deps, { limitCalls: unlimited }))
  return {
    app,
    deps,
    stripe,
    stripes,
    hubspot,
    ownerUrl: test.db.ownerUrl,
    databaseUrl: test.db.databaseUrl,
    applicationUrl: test.db.url,
    now: time.now,
    async drain() {
      for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
        await work(run)
      }
    },
    person: (wanted) => signIn({ app, deps, hubspot }, wanted),
    stranger: () => visit(app),
    close: test.close,
  }
}

function simulateStripe({ account, accounts = {} }: WorldOptions) {
  const simulate = (world: StripeWorld, keys: string[]) =>
    createStripeSimulator({ world, keys, limits: null, wait: async () => {} })
  const stripe = simulate(account ?? generatedWorld(accountCustomers), [])
  const stripes = new Map<string, StripeSimulator>(
    Object.entries(accounts).map(([key, world]) => [key, simulate(world, [key])] as const),
  )
  const fetchStripe = (request: Request) => {
    const key = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
    return (stripes.get(key) ?? stripe).fetch(request)
  }
  return { stripe, stripes, fetchStripe }
}

let people = 0

async function signIn(
  { app, deps, hubspot }: Pick<TestWorld, 'app' | 'deps' | 'hubspot'>,
  wanted: { email?: string; organization?: string | null } = {},
): Promise<Person> {
  const number = ++people
  const { email = `pat-${number}@yard-${number}.example`, organization = `Yard ${number}` } = wanted
  const user = { email, name: 'Pat Yard', passwordHash: await hashOf(password) }
  const userId = await addVerifiedUser(deps.database, user)
  const visitor = visit(app)
  const ask = async (path: string, init?: RequestInit): Promise<Response> => {
    const answer = await visitor.fetch(path, init)
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const post = (path: string, body: object = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const signInAgain = () => post('/api/identity/sign-in/email', { email, password }).then(() => {})
  await signInAgain()
  let organizationId = 0
  if (organization !== null) {
    const slug = organization.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
    const made = await post('/api/identity/organization/create', { name: organization, slug })
    organizationId = Number((await made.json()).id)
  }
  return {
    ...visitor,
    email,
    userId,
    organizationId,
    signIn: signInAgain,
    post: async (path, body) => void (await post(path, body)),
    connectStripe: async (apiKey = demoKey) => void (await post('/api/stripe/connect', { apiKey })),
    connectHubspot: async (portal = enterprise) => {
      const { authUrl } = await (await ask('/api/hubspot/auth-url')).json()
      await ask(await consent(hubspot, authUrl, portal))
    },
  }
}

/** Accepts on the consent page; returns the address to which HubSpot redirects the browser. */
export async function consent(hubspot: HubspotSimulator, authUrl: string, portal: number): Promise<string> {
  const page = new URL(authUrl)
  const form = new URLSearchParams(page.search)
  form.set('hub_id', String(portal))
  form.set('decision', 'allow')
  const answer = await hubspot.fetch(
    new Request(new URL(page.pathname, page), { method: 'POST', body: form, redirect: 'manual' }),
  )
  const back = answer.headers.get('location')
  if (back === null) throw new Error(`HubSpot did not send the browser back: ${answer.status}`)
  return back
}

function visit(app: App): Browser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    fetch: async (input, init) => {
      const request = new Request(typeof input === 'string' ? new URL(input, origin) : input, {
        ...init,
        redirect: 'manual',
      })
      if (cookies.size > 0) {
        request.headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
      }
      if (request.method !== 'GET' && !request.headers.has('origin')) request.headers.set('origin', origin)
      const answer = await app.fetch(request)
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    },
  }
}
