import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { patienceMs } from './browser.ts'
import { delayAnswers } from './layout-shift.ts'
import { send } from './prepare.ts'
import { arrive, type ScreenVisitor } from './visitors.ts'
import { walkOn } from './walk.ts'

/** Every screen of the product, with the visitor who sees it and the actions that reveal all of it. */

/** The ids that open the screens of single records. */
type Facts = { subscriptionId: string; customerId: string; ownerId: number }

export type Screen = {
  name: string
  visitor: ScreenVisitor
  path: string | ((facts: Facts) => string)
  /** Runs after the screen has loaded. */
  act?: (page: Page, facts: Facts) => Promise<void>
  /** The screen exists only on a phone. */
  isPhoneOnly?: boolean
}

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name }).waitFor()
const rowsOf = (page: Page, name: string) => page.locator(`[aria-label="${name}"] :is(tbody, li)`)
const firstButtonOf = (page: Page, name: string) => rowsOf(page, name).getByRole('button').first()
const askFor = (title: string, menu?: string) => async (page: Page) => {
  if (menu !== undefined) await page.getByRole('button', { name: menu }).click()
  await page.getByRole(menu === undefined ? 'button' : 'menuitem', { name: title }).click()
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
  {
    name: 'setup-organization-key',
    visitor: 'starter',
    path: '/setup/stripe',
    act: async (page) => {
      // Typed, because what a key press moves is no jump of the screen.
      await page.getByLabel('Stripe API Key').pressSequentially('sk_org_test_tributary_demo')
      await page.getByLabel('Stripe Account').waitFor()
    },
  },
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
  {
    name: 'command-menu',
    visitor: 'owner',
    path: '/events',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await dialogOf(page, 'Search and commands')
      await page.keyboard.type('mrr')
      await page.locator('[data-action][data-selected]').waitFor()
    },
  },
  {
    name: 'keyboard-shortcuts',
    visitor: 'owner',
    path: '/events',
    act: async (page) => {
      await page.keyboard.press('?')
      await dialogOf(page, 'Keyboard shortcuts')
    },
  },
  { name: 'customers', visitor: 'owner', path: '/customers' },
  { name: 'customer', visitor: 'owner', path: ({ customerId }) => `/customers/${customerId}` },
  { name: 'subscriptions', visitor: 'owner', path: '/subscriptions' },
  {
    name: 'subscription-details',
    visitor: 'owner',
    path: ({ subscriptionId }) => `/subscriptions/${subscriptionId}`,
  },
  {
    name: 'subscription-receipt',
    visitor: 'owner',
    path: ({ subscriptionId }) => `/subscriptions/${subscriptionId}`,
    act: async (page) => {
      await page.getByRole('button', { name: /^How .+ was calculated$/ }).click()
      await page.getByRole('table', { name: 'Calculation' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'erase-customer',
    visitor: 'owner',
    path: ({ subscriptionId }) => `/subscriptions/${subscriptionId}`,
    act: askFor('Erase this person', 'More actions for the customer'),
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
  { name: 'terms', visitor: 'owner', path: '/terms' },
  { name: 'data-sync', visitor: 'owner', path: '/data-sync' },
  {
    name: 'data-sync-webhook',
    visitor: 'connected',
    path: '/data-sync',
    act: async (page) => {
      await page.getByRole('button', { name: 'Webhooks (optional)' }).click()
      await page.getByLabel('Signing secret').scrollIntoViewIfNeeded()
    },
  },
  { name: 'sync-history', visitor: 'owner', path: '/sync-history' },
  {
    name: 'sync-details',
    visitor: 'owner',
    path: '/sync-history',
    act: async (page) => {
      await rowsOf(page, 'Sync History').getByRole('link').first().click()
      await dialogOf(page, 'Sync Details')
    },
  },
  { name: 'sync-health', visitor: 'owner', path: '/sync-health' },
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
  {
    name: 'two-factor-setup',
    visitor: 'starter',
    path: '/account-profile',
    act: async (page) => {
      await page.getByRole('button', { name: 'Set up' }).click()
      const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
      await dialog.getByRole('textbox', { name: 'Password' }).fill('a-long-enough-passphrase')
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await dialog.getByRole('img', { name: /^QR code/ }).waitFor()
    },
  },
  { name: 'account-organization', visitor: 'owner', path: '/account-profile?tab=organization' },
  {
    name: 'delete-organization',
    visitor: 'owner',
    path: '/account-profile?tab=organization',
    act: askFor('Delete organization'),
  },
  { name: 'delete-account', visitor: 'newcomer', path: '/account-profile', act: askFor('Delete my account') },
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

/** Saving after the session ended must wait for the sign-in. The session is restored for the next screen. */
async function endSession(page: Page): Promise<void> {
  const cookies = await page.context().cookies()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Cora Renamed')
  await page.context().clearCookies()
  await page.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' }).click()
  await dialogOf(page, 'Sign in again')
  await page.context().addCookies(cookies)
}

type OpeningOptions = BrowserContextOptions & {
  baseURL: string
  /** Delays every answer, so that each screen first stands with its placeholders. */
  isSlow?: boolean
  /** Who reaches most screens as links reach them, from the screen before. */
  walker?: ScreenVisitor
  /** The window of each visitor, instead of one for all. */
  sizeFor?: (visitor: ScreenVisitor) => { width: number; height: number }
}

/** Opens each screen for its visitor; each visitor arrives once and keeps one page. */
export async function openEveryScreen(
  browser: Browser,
  { isSlow = false, walker, sizeFor, ...options }: OpeningOptions,
) {
  const pages = new Map<ScreenVisitor, ReturnType<typeof openPage>>()
  const openPage = async (visitor: ScreenVisitor) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    context.setDefaultTimeout(patienceMs)
    const page = await context.newPage()
    if (sizeFor) await page.setViewportSize(sizeFor(visitor))
    await arrive(page, visitor)
    if (isSlow) await delayAnswers(page)
    return { page, go: visitor === walker ? walkOn(page) : (path: string) => page.goto(path) }
  }
  const pageOf = (visitor: ScreenVisitor) => {
    const opened = pages.get(visitor) ?? openPage(visitor)
    pages.set(visitor, opened)
    return opened
  }
  const { page: owner } = await pageOf('owner')
  const facts: Facts = {
    ...(await busySubscription(owner)),
    ownerId: Number((await send(owner, 'GET', '/api/auth/current-user'))['id']),
  }
  return async ({ visitor, path, act }: Screen): Promise<Page> => {
    const { page, go } = await pageOf(visitor)
    await go(typeof path === 'string' ? path : path(facts), act !== undefined)
    await untilComplete(page)
    if (act) {
      await act(page, facts)
      await untilComplete(page)
    }
    return page
  }
}

/** The subscription whose MRR changed last, and its customer, because they have a history to show. */
async function busySubscription(page: Page): Promise<{ subscriptionId: string; customerId: string }> {
  const { transactions } = await send(page, 'GET', '/api/dashboard/recent-transactions')
  const [event] = transactions as { relatedSubscriptionId: string; customerId: string }[]
  if (event === undefined) throw new Error('the demo organization has no event')
  return { subscriptionId: event.relatedSubscriptionId, customerId: event.customerId }
}

/** Waits until nothing on the page is loading. What the sign-in hides goes on only after it. */
export async function untilComplete(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  const loading =
    '[aria-busy="true"], [role="status"][aria-label="Loading"], .mantine-Skeleton-root[data-visible]'
  await page.waitForFunction((selector) => {
    const seen = [...document.querySelectorAll(selector)].filter(
      (element) => getComputedStyle(element).visibility === 'visible',
    )
    return document.querySelector('h1') !== null && seen.length === 0
  }, loading)
}
