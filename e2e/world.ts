import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { inject } from 'vitest'
import { getCurrentUser } from '#contract/account.ts'
import { type AccountPlan, machineOf } from '#simulators/start-simulators.ts'
import { searchDump } from '#test/dump.ts'
import { declareSecret, lookAt } from '#test/leaks.ts'
import { memory } from '#test/memory.ts'
import { copyTemplate, type TestAddresses } from '#test/template.ts'
import { buildWeb } from '../tools/build-web.ts'
import { temporaryFolder } from '../tools/postgres.ts'
import { type Product, startProduct } from '../tools/product.ts'
import { closeProfiles, patienceMs, sharedBrowser } from './browser.ts'

/** The whole product in its own folder, on its own database, with a browser. */
export type BrowserWorld = {
  product: Product & { superuserUrl: string }
  folder: string
  /** A person with a fresh browser profile; collects every error that their pages log. */
  newPerson(): Promise<{ page: Page; context: BrowserContext; errors: string[] }>
  /** The simulated account's own figures. */
  account(): ReturnType<ReturnType<typeof machineOf>['snapshot']>
  log(name: 'server' | 'worker' | 'simulators'): string
  close(): Promise<void>
}

export async function openWorld(
  options: {
    simulatorArgs?: string[]
    environment?: Record<string, string>
    /** Where vitest cannot inject them. */
    addresses?: TestAddresses
  } = {},
): Promise<BrowserWorld> {
  const folder = temporaryFolder('tributary-e2e-', memory())
  await buildWeb()
  const { addresses = { clusterUrl: inject('clusterUrl'), templateUrl: inject('templateUrl') } } = options
  const { databaseUrl, ownerUrl, drop } = await copyTemplate(addresses)
  const started = await startProduct({
    folder,
    environment: { DATABASE_URL: databaseUrl, ...options.environment },
    say: () => {},
    ...(options.simulatorArgs && { simulatorArgs: options.simulatorArgs }),
  })
  const product = { ...started, superuserUrl: ownerUrl }
  const log = (name: string) => logOf(folder, name)
  return {
    product,
    folder,
    log,
    newPerson: async () => newPerson(await sharedBrowser(), product.address),
    account: () => accountIn(folder),
    close: async () => {
      await closeProfiles()
      let writes = 0
      try {
        await searchAll(product, folder, options.simulatorArgs ?? [])
        writes = await countPaymentWrites(product)
      } finally {
        // No process stays behind a world in which something was found.
        await product.stop()
        await drop()
        rmSync(folder, { recursive: true, force: true })
      }
      if (writes > 0) throw new Error(`${writes} writes to the payment provider were tried`)
    },
  }
}

/** The simulated account's own figures. */
function accountIn(folder: string) {
  const plan = JSON.parse(readFileSync(join(folder, 'simulators', 'account.json'), 'utf8')) as AccountPlan
  return machineOf(plan).snapshot()
}

/** The log of a process; its file exists from the first line on. */
function logOf(folder: string, name: string): string {
  const path = join(folder, 'logs', `${name}.log`)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/**
 * Searches the database and logs that the product leaves for unencrypted secrets (test/no-leaks.ts). Logs must not contain
 * Stripe's customers either, because a later erasure could not remove them.
 */
async function searchAll(
  { databaseUrl, superuserUrl }: BrowserWorld['product'],
  folder: string,
  args: string[],
): Promise<void> {
  for (const word of wordsOfCustomers(folder, args))
    declareSecret('who a customer of Stripe is', word, ['log'])
  const { sealKeys } = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))
  declareSecret('the sealing key', String(sealKeys).replace(/^\d+:/, ''))
  declareSecret("the database's password", new URL(databaseUrl).password)
  await searchDump(superuserUrl)
  for (const name of ['server', 'worker']) {
    lookAt('log', `${name}.log`, logOf(folder, name))
  }
}

/** Names and addresses of the simulated account's customers; redacted ones have none. */
function wordsOfCustomers(folder: string, args: string[]): string[] {
  const file = args.find((arg) => arg.startsWith('--world='))?.slice('--world='.length)
  const world: unknown = file ? JSON.parse(readFileSync(file, 'utf8')) : accountIn(folder).world
  return (world as { customers: { name?: unknown; email?: unknown }[] }).customers
    .flatMap(({ name, email }) => [name, email])
    .filter((word) => typeof word === 'string')
    .flatMap((word) => [word, word.toLowerCase()])
    .filter((word) => word.length > 5 && word !== '[redacted]')
}

/** The simulated Stripe's count of requests that were not GET: any such request fails the run. */
async function countPaymentWrites({ stripeUrl }: Product): Promise<number> {
  if (stripeUrl === null) return 0
  const answer = await fetch(`${stripeUrl}/_requests`)
  const { writes } = (await answer.json()) as { writes: number }
  return writes
}

/** A fresh browser profile; collects every error that its pages log. */
export async function newPerson(browser: Browser, baseURL: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ ...options, baseURL, viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('response', (answer) => {
    const { origin, pathname } = new URL(answer.url())
    if (origin !== baseURL || !pathname.startsWith('/api/')) return
    // For pages that the browser has left by now, the text is no longer available.
    void answer.text().then(
      (text) => lookAt('answer', pathname, text),
      () => {},
    )
  })
  page.on('console', (message) => {
    // The sign-in page asks who is there. The browser notes the answer "nobody" as a failed request.
    const isNobody = message.location().url.endsWith(getCurrentUser.path) && message.text().includes(' 401 ')
    if (message.type() === 'error' && !isNobody) errors.push(message.text())
  })
  return { page, context, errors }
}
