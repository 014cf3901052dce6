import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alterAnswers, cutOff } from '../faults.ts'
import { ask } from '../person.ts'
import {
  columnOf,
  columnsOf,
  expectTexts,
  expectTitle,
  isGreen,
  openLook,
  rowsOf,
  type ScreenWorld,
  slowNetwork,
  table,
  widthOf,
} from './look.ts'
import { namelessOwner } from './nameless.ts'

let look: ScreenWorld
let page: Page
let subscription: Subscription & { companyName: string; customerDomain: string }
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.demoOwner())
  const { subscriptions } = await ask<{ subscriptions: Subscription[] }>(
    page,
    '/api/stripe/subscriptions?limit=100&status=active',
  )
  const found = subscriptions.find(
    (one) => one.currency === 'usd' && one.companyName && one.customerDomain && one.nextRenewalDate,
  )
  const { companyName, customerDomain } = found ?? {}
  if (!found || !companyName || !customerDomain) throw new Error('no subscription has a company and a domain')
  subscription = { ...found, companyName, customerDomain }
})
afterAll(() => look?.close())

type Subscription = {
  subscriptionId: string
  companyName: string | null
  customerName: string | null
  customerEmail: string | null
  customerDomain: string | null
  productName: string
  currency: string
  currentMrr: number
  quantity: number
  nextRenewalDate: string
  stripeLink: string
}
const open = () => page.goto(`/subscriptions/${subscription.subscriptionId}`)
const fact = (name: string, on = page) =>
  on.getByRole('row').filter({ has: on.getByRole('rowheader', { name, exact: true }) })

it('shows whose it is and what it is', async () => {
  await open()
  await expectTitle(page, 'Subscription Details')
  await page.getByRole('heading', { name: subscription.companyName, exact: true }).waitFor()
  const inStripe = page.getByRole('link', { name: subscription.subscriptionId })
  expect(await inStripe.getAttribute('href')).toBe(subscription.stripeLink)
  expect(await inStripe.getAttribute('target')).toBe('_blank')
  await expectTexts(page.getByRole('main'), 'Active', 'Customer Details', 'Subscription Details')
  const day = new Date(`${subscription.nextRenewalDate}T00:00:00Z`)
  const facts: [string, string | RegExp][] = [
    ['Company', subscription.companyName],
    ['Customer', subscription.customerName ?? 'Unknown Customer'],
    ['Email', subscription.customerEmail ?? 'No email'],
    ['Domain', subscription.customerDomain],
    ['Current MRR', /^\D+[\d,]+\.\d\d$/],
    ['Next Renewal', day.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })],
    ['Quantity', String(subscription.quantity)],
    ['Product', subscription.productName],
    ['Billing Interval', /^(Monthly|Quarterly|Annual|\d+ days)$/],
    ['Period Start', /^[A-Z][a-z]{2} \d+, \d{4}$/],
    ['Period End', /^[A-Z][a-z]{2} \d+, \d{4}$/],
  ]
  for (const [name, text] of facts) {
    const cell = fact(name).first().getByRole('cell')
    // The name of a link to another site ends with a hint that it opens a new tab.
    await expect
      .poll(async () => (await cell.textContent())?.replace(' (opens in a new tab)', '').trim())
      .toMatch(typeof text === 'string' ? `${text}` : text)
  }
  const domain = fact('Domain').getByRole('link')
  expect(await domain.getAttribute('href')).toBe(`https://${subscription.customerDomain}`)
})

it('has words for what is not known of a customer', async () => {
  const { subscriptions } = await ask<{ subscriptions: Subscription[] }>(
    page,
    '/api/stripe/subscriptions?limit=100',
  )
  for (const [field, name, words] of [
    ['customerName', 'Customer', 'Unknown Customer'],
    ['customerEmail', 'Email', 'No email'],
  ] as const) {
    const lacking = subscriptions.find((one) => one[field] === null)
    await page.goto(`/subscriptions/${lacking?.subscriptionId}`)
    await expectTexts(fact(name), words)
  }
  expect(await fact('Domain').count()).toBe(0)
})

it('has words for a company and a product without a name, and one of what has no quantity', async () => {
  const nameless = await namelessOwner(look)
  const { subscriptions } = await ask<{ subscriptions: Subscription[] }>(
    nameless,
    '/api/stripe/subscriptions?limit=100',
  )
  // One that was never paid has no events.
  const lacking = subscriptions.find(
    (one) => one.companyName === null && one.customerDomain !== null && one.currentMrr > 0,
  )
  // The server's figures always have a quantity; this answer simulates one without.
  const mend = await alterAnswers<Subscription>(nameless, '**/api/stripe/subscriptions/*', (one) => ({
    ...one,
    quantity: null,
  }))
  await nameless.goto(`/subscriptions/${lacking?.subscriptionId}`)
  await nameless.getByRole('heading', { name: 'Unknown Company', exact: true }).waitFor()
  for (const [name, words] of [
    ['Company', 'Unknown Company'],
    ['Customer', 'Unknown Customer'],
    ['Product', 'Unknown Product'],
    ['Quantity', '1'],
  ] as const)
    await expectTexts(fact(name, nameless).first(), words)
  expect(new Set(await columnOf(nameless, 'Event History', 'Product'))).toEqual(new Set(['-']))
  await mend()
})

it('lists every event with its invoice', async () => {
  await open()
  const columns = await columnsOf(page, 'Event History')
  // 'Calculation' is ours: it explains the figure.
  expect(columns.filter((name) => name !== 'Calculation')).toEqual([
    'Date',
    'Event Type',
    'Product',
    'Payment Method',
    'Current MRR',
    'Previous MRR',
    'MRR Change',
    'Previous Qty',
    'Current Qty',
    'Change Type',
    'Invoice ID',
  ])
  const changes = await columnOf(page, 'Event History', 'MRR Change')
  expect(changes.at(-1)).toMatch(/^\+/)
  for (const form of await columnOf(page, 'Event History', 'Date'))
    expect(form).toMatch(/^[A-Z][a-z]{2} \d+, \d{4}$/)
  const [invoice] = await Promise.all([
    page.waitForEvent('popup'),
    table(page, 'Event History')
      .getByRole('link', { name: /View Invoice/ })
      .last()
      .click(),
  ])
  expect(new URL(invoice.url()).origin).toBe(look.stripeUrl)
  await invoice.close()
  await page.getByRole('link', { name: 'Back to Subscriptions' }).click()
  await page.waitForURL('**/subscriptions')
})

it('shows what grew in green with a plus sign, and what fell in red', async () => {
  const { transactions } = await ask<{ transactions: { relatedSubscriptionId: string }[] }>(
    page,
    '/api/stripe/transactions?limit=1&mrrStatus=Downgrade',
  )
  await page.goto(`/subscriptions/${transactions[0]?.relatedSubscriptionId}`)
  await rowsOf(page, 'Event History')
  const changes = await table(page, 'Event History')
    .locator('tbody tr td:nth-child(7) span')
    .evaluateAll((found) => found.map((one) => [one.textContent, getComputedStyle(one).color] as const))
  expect(new Set(changes.map(([text]) => /^[+-]/.exec(text)?.[0]))).toEqual(new Set(['+', '-']))
  for (const [text, color] of changes) {
    expect(isGreen(color), `${text} in ${color}`).toBe(!text.startsWith('-'))
  }
})

it('keeps the page of the events in the address, and falls back to the last one', async () => {
  await open()
  await rowsOf(page, 'Event History')
  const atOnce = await slowNetwork(page, 1_000)
  const opened = page.goto(`/subscriptions/${subscription.subscriptionId}?page=40`)
  await page.getByRole('status', { name: 'Loading rows' }).waitFor()
  // Until the last page has loaded.
  await expectTexts(page, 'No events found.')
  await opened
  await page.waitForURL(`**/subscriptions/${subscription.subscriptionId}`)
  await table(page, 'Event History').locator('tbody tr').first().waitFor()
  await atOnce()
})

type Record = { state: string; problem: string | null; blockedBy: string | null; isSyncing: boolean }

it('tells the state of its record in HubSpot, and syncs it on request', async () => {
  const path = `/api/stripe/subscriptions/${subscription.subscriptionId}`
  const record = page.getByRole('button', { name: 'Sync now', exact: true })
  const states: [Partial<Record>, string, string][] = [
    [{ state: 'failed', problem: 'The name is refused.' }, 'Failed', 'The name is refused.'],
    [
      { state: 'waiting', blockedBy: 'An import is running.' },
      'Waiting for the next sync',
      'An import is running.',
    ],
    [{ state: 'removed' }, 'Deleted in HubSpot', 'Sync now'],
  ]
  for (const [changed, ...texts] of states) {
    const mend = await alterAnswers<{ record: Record }>(page, `**${path}`, (one) => ({
      ...one,
      record: { ...one.record, ...changed },
    }))
    await open()
    await expectTexts(page.getByRole('main'), ...texts)
    await expect.poll(() => record.isEnabled()).toBe(changed.blockedBy === undefined)
    await mend()
  }
  await open()
  const [started] = await Promise.all([
    page.waitForResponse((answer) => answer.url().endsWith(`${path}/sync`)),
    // What loads above moves it away from below a pointer.
    record.press('Enter'),
  ])
  expect(started.status()).toBe(200)
  const { importId } = await started.json()
  const stateOf = async () => (await ask<{ status: string }>(page, `/api/sync/status/${importId}`)).status
  await expect.poll(stateOf).toBe('completed')
  await expect.poll(() => record.isEnabled()).toBe(true)
  await expectTexts(page.getByRole('main'), 'Synced')
})

it('explains the current MRR on request, by rules that have names', async () => {
  await open()
  const fold = page.getByRole('button', { name: /^How .+ was calculated$/ })
  expect(await table(page, 'Calculation').count()).toBe(0)
  await fold.click()
  await rowsOf(page, 'Calculation')
  const rule = table(page, 'Calculation')
    .getByRole('link', { name: /^\D+ \(rule R\d+\)$/ })
    .first()
  expect(await rule.getAttribute('title')).toMatch(/^Rule R\d+$/)
  // A phone has the rules below what they are about, in its whole width.
  const desk = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(() => columnsOf(page, 'Calculation')).toEqual(['Step', 'Amount'])
  expect(await widthOf(page.locator('main dl dd').first())).toBeGreaterThan(250)
  await rule.waitFor()
  await page.setViewportSize(desk)
  await fold.click()
  await expect.poll(() => table(page, 'Calculation').count()).toBe(0)
})

it('leads back to the place of the list that it was opened from', async () => {
  await page.goto('/events?perPage=50')
  await rowsOf(page, 'Events')
  const row = table(page, 'Events').locator('tbody tr').nth(40)
  await row.scrollIntoViewIfNeeded()
  const scrolled = () => page.evaluate(() => Math.round(window.scrollY))
  const place = await scrolled()
  expect(place).toBeGreaterThan(500)
  await row.click({ position: { x: 4, y: 4 } })
  const back = page.getByRole('link', { name: 'Back to Events' })
  await back.waitFor()
  expect(await scrolled()).toBeLessThan(place)
  await back.click()
  await expect.poll(scrolled).toBe(place)
})

it('says that there is no such subscription, and leads back', async () => {
  await page.goto('/subscriptions/sub_nobody_has_this')
  await expectTexts(page, 'Subscription Not Found', 'The requested subscription could not be found.')
  await page.getByRole('link', { name: 'Back to Subscriptions' }).click()
  await page.waitForURL('**/subscriptions')
})

it('says what could not be fetched, and a subscription without events says so', async () => {
  const mend = await cutOff(page, '*/api/stripe/transactions*')
  await open()
  await expectTexts(page, 'An error occurred while fetching events.')
  await mend()
  const { subscriptions } = await ask<{ subscriptions: Subscription[] }>(
    page,
    '/api/stripe/subscriptions?limit=100&status=trialing',
  )
  for (const { subscriptionId } of subscriptions) {
    const { totalCount } = await ask<{ totalCount: number }>(
      page,
      `/api/stripe/transactions?subscriptionId=${subscriptionId}`,
    )
    if (totalCount > 0) continue
    await page.goto(`/subscriptions/${subscriptionId}`)
    await expectTexts(page, 'No events found for this subscription.', 'Trialing')
    return
  }
  throw new Error('every subscription on trial has events')
})
