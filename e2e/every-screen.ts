import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { demo } from '../tools/demo.ts'
import {
  becomeOwner,
  becomeUser,
  connectHubspotByCall,
  connectStripeByCall,
  enter,
  importByCall,
  send,
} from './prepare.ts'

/** Every screen of the product, with the visitor who sees it and the actions that reveal all of it. */

/** The address that OPERATOR_EMAILS must name for the operator's screen. */
export const lookingOperatorEmail = 'lou@looking.example'

/**
 * Signed out, without organization, with an empty one, with both providers but no import, with a HubSpot account without
 * custom objects, after an erasure, of the demo organization, and the operator.
 */
type Visitor =
  | 'stranger'
  | 'newcomer'
  | 'starter'
  | 'connected'
  | 'objectless'
  | 'eraser'
  | 'owner'
  | 'operator'

/** The ids that open the screens of single records. */
type Facts = { subscriptionId: string; ownerId: number }

export type Screen = {
  name: string
  visitor: Visitor
  path: string | ((facts: Facts) => string)
  /** Runs after the screen has loaded. */
  act?: (page: Page, facts: Facts) => Promise<void>
  /** The screen exists only on a phone. */
  isPhoneOnly?: boolean
}

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name }).waitFor()
const firstButtonOf = (page: Page, label: string) =>
  page.getByRole('table', { name: label, exact: true }).locator('tbody').getByRole('button').first()
const askFor = (title: string) => async (page: Page) => {
  await page.getByRole('button', { name: title }).click()
  await dialogOf(page, title)
}
const openTab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click()

export const everyScreen: Screen[] = [
  { name: 'sign-in', visitor: 'stranger', path: '/sign-in' },
  { name: 'sign-up', visitor: 'stranger', path: '/sign-up' },
  { name: 'login', visitor: 'stranger', path: '/login' },
  { name: 'test-data', visitor: 'stranger', path: '/test-data' },
  { name: 'not-found', visitor: 'stranger', path: '/nowhere' },
  { name: 'org-selection', visitor: 'newcomer', path: '/org-selection' },
  { name: 'dashboard-empty', visitor: 'starter', path: '/' },
  { name: 'subscriptions-empty', visitor: 'starter', path: '/subscriptions' },
  { name: 'mrr-analytics-empty', visitor: 'starter', path: '/mrr-analytics' },
  { name: 'data-sync-empty', visitor: 'starter', path: '/data-sync' },
  { name: 'sync-history-empty', visitor: 'starter', path: '/sync-history' },
  { name: 'setup-hubspot', visitor: 'starter', path: '/setup/hubspot' },
  {
    name: 'setup-service-key',
    visitor: 'starter',
    path: '/setup/hubspot',
    act: async (page) => {
      await page.getByRole('button', { name: 'Use a service key instead' }).click()
      await page.getByText('It needs these scopes').waitFor()
    },
  },
  { name: 'setup-stripe', visitor: 'starter', path: '/setup/stripe' },
  { name: 'setup-objects', visitor: 'connected', path: '/setup/objects' },
  {
    name: 'setup-objects-missing',
    visitor: 'objectless',
    path: '/setup/objects',
    act: async (page) => {
      await page.getByRole('button', { name: 'Use a service key once' }).click()
      await page.getByText('It needs these scopes').waitFor()
    },
  },
  { name: 'data-sync-objects-missing', visitor: 'objectless', path: '/data-sync' },
  { name: 'hubspot-objects', visitor: 'connected', path: '/hubspot-objects' },
  { name: 'setup-import', visitor: 'connected', path: '/setup/import' },
  { name: 'setup-sync', visitor: 'connected', path: '/setup/sync' },
  { name: 'setup-finish', visitor: 'connected', path: '/setup/finish' },
  { name: 'session-ended', visitor: 'connected', path: '/account-profile', act: endSession },
  { name: 'erasure-certificate', visitor: 'eraser', path: '/account-profile?tab=privacy' },
  { name: 'dashboard', visitor: 'owner', path: '/' },
  { name: 'subscriptions', visitor: 'owner', path: '/subscriptions' },
  {
    name: 'subscription-details',
    visitor: 'owner',
    path: ({ subscriptionId }) => `/subscriptions/${subscriptionId}`,
  },
  {
    name: 'erase-customer',
    visitor: 'owner',
    path: ({ subscriptionId }) => `/subscriptions/${subscriptionId}`,
    act: askFor('Erase this person'),
  },
  {
    name: 'event-receipt',
    visitor: 'owner',
    path: ({ subscriptionId }) => `/subscriptions/${subscriptionId}`,
    act: async (page) => {
      await firstButtonOf(page, 'Event History').click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'events', visitor: 'owner', path: '/events' },
  { name: 'mrr-analytics', visitor: 'owner', path: '/mrr-analytics' },
  { name: 'what-changed', visitor: 'owner', path: '/what-changed' },
  { name: 'data-sync', visitor: 'owner', path: '/data-sync' },
  { name: 'sync-history', visitor: 'owner', path: '/sync-history' },
  {
    name: 'sync-details',
    visitor: 'owner',
    path: '/sync-history',
    act: async (page) => {
      await firstButtonOf(page, 'Sync History').click()
      await dialogOf(page, 'Sync Details')
    },
  },
  { name: 'match-review', visitor: 'owner', path: '/match-review' },
  {
    name: 'match-review-dialog',
    visitor: 'owner',
    path: '/match-review',
    act: async (page) => {
      await firstButtonOf(page, 'Match Review').click()
      await dialogOf(page, 'Review Match')
    },
  },
  { name: 'diagnostics', visitor: 'owner', path: '/diagnostics' },
  {
    name: 'diagnostics-manual',
    visitor: 'owner',
    path: '/diagnostics',
    act: openTab('Manual Association Testing'),
  },
  { name: 'account-profile', visitor: 'owner', path: '/account-profile' },
  { name: 'account-organization', visitor: 'owner', path: '/account-profile?tab=organization' },
  {
    name: 'delete-organization',
    visitor: 'owner',
    path: '/account-profile?tab=organization',
    act: askFor('Delete organization'),
  },
  { name: 'delete-account', visitor: 'owner', path: '/account-profile', act: askFor('Delete my account') },
  { name: 'account-activity', visitor: 'owner', path: '/account-profile?tab=activity' },
  { name: 'account-privacy', visitor: 'owner', path: '/account-profile?tab=privacy' },
  {
    name: 'navigation',
    visitor: 'owner',
    path: '/',
    isPhoneOnly: true,
    act: async (page) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('button', { name: 'Open navigation' }).click()
      await dialogOf(page, 'Tributary')
    },
  },
  {
    name: 'operator',
    visitor: 'operator',
    path: '/operator/subscription-data',
    act: async (page, { ownerId }) => {
      await page.getByLabel('User ID').fill(String(ownerId))
      await page.getByRole('button', { name: 'Fetch Data' }).click()
      await page.getByRole('tab', { name: /^Subscriptions/ }).waitFor()
    },
  },
]

const password = 'a-long-enough-passphrase'
const people = {
  newcomer: { name: 'Nel Newcomer', email: 'nel@arriving.example', password },
  starter: { name: 'Sam Starter', email: 'sam@starting.example', password },
  connected: { name: 'Cora Connected', email: 'cora@connected.example', password },
  objectless: { name: 'Olli Objectless', email: 'olli@objectless.example', password },
  eraser: { name: 'Edda Eraser', email: 'edda@erasing.example', password },
  operator: { name: 'Lou Operator', email: lookingOperatorEmail, password },
}

const arrivals: Record<Visitor, (page: Page) => Promise<void>> = {
  stranger: async () => {},
  owner: (page) => enter(page, demo),
  newcomer: (page) => becomeUser(page, people.newcomer),
  starter: (page) => becomeOwner(page, people.starter, 'Starting'),
  connected: async (page) => {
    await becomeOwner(page, people.connected, 'Connected')
    await connectHubspotByCall(page)
    await connectStripeByCall(page)
  },
  objectless: async (page) => {
    await becomeOwner(page, people.objectless, 'Objectless')
    await connectHubspotByCall(page, 24180002)
    await connectStripeByCall(page)
  },
  eraser: async (page) => {
    await becomeOwner(page, people.eraser, 'Erasing')
    await connectStripeByCall(page)
    await importByCall(page)
    const { subscriptions } = await send(page, 'GET', '/api/stripe/subscriptions?limit=10')
    const [first] = subscriptions as { customerId: string }[]
    await send(page, 'POST', '/api/erasures', { customerId: first?.customerId })
  },
  operator: (page) => becomeOwner(page, people.operator, 'Looking'),
}

/** Saving after the session ended must wait for the sign-in. The session is restored for the next screen. */
async function endSession(page: Page): Promise<void> {
  const cookies = await page.context().cookies()
  await page.getByLabel('Full name').fill('Cora Renamed')
  await page.context().clearCookies()
  await page.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' }).click()
  await dialogOf(page, 'Sign in again')
  await page.context().addCookies(cookies)
}

/** Signs a visitor in, or up on the first visit. */
async function arrive(page: Page, visitor: Visitor): Promise<void> {
  const known = Object.entries(people).find(([name]) => name === visitor)?.[1]
  const isBack = known !== undefined && (await isKnown(page, known))
  if (!isBack) await arrivals[visitor](page)
}

async function isKnown(page: Page, person: { email: string; password: string }): Promise<boolean> {
  try {
    await enter(page, person)
    return true
  } catch {
    return false
  }
}

/** Opens each screen for its visitor; each visitor arrives once and keeps one page. */
export async function openEveryScreen(
  browser: Browser,
  options: BrowserContextOptions & { baseURL: string },
) {
  const pages = new Map<Visitor, Promise<Page>>()
  const openPage = async (visitor: Visitor): Promise<Page> => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    context.setDefaultTimeout(30_000)
    const page = await context.newPage()
    await arrive(page, visitor)
    return page
  }
  const pageOf = (visitor: Visitor) => {
    const page = pages.get(visitor) ?? openPage(visitor)
    pages.set(visitor, page)
    return page
  }
  const owner = await pageOf('owner')
  const facts: Facts = {
    subscriptionId: await busySubscription(owner),
    ownerId: Number((await send(owner, 'GET', '/api/auth/current-user'))['id']),
  }
  return async ({ visitor, path, act }: Screen): Promise<Page> => {
    const page = await pageOf(visitor)
    await page.goto(typeof path === 'string' ? path : path(facts))
    await untilComplete(page)
    if (act) {
      await act(page, facts)
      await untilComplete(page)
    }
    return page
  }
}

/** The subscription whose MRR changed last, because it has a history to show. */
async function busySubscription(page: Page): Promise<string> {
  const { transactions } = await send(page, 'GET', '/api/dashboard/recent-transactions')
  const [event] = transactions as { relatedSubscriptionId: string }[]
  if (event === undefined) throw new Error('the demo organization has no event')
  return event.relatedSubscriptionId
}

/** Waits until nothing on the page is loading. */
export async function untilComplete(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  const loading =
    '[aria-busy="true"], [role="status"][aria-label="Loading"], .mantine-Skeleton-root[data-visible]'
  await page.waitForFunction(
    (selector) => document.querySelector('h1') !== null && document.querySelector(selector) === null,
    loading,
  )
}
