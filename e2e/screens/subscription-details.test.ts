import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cutOff } from '../faults.ts'
import { ask } from '../person.ts'
import { columnOf, columnsOf, expectTexts, expectTitle, type Look, openLook, table } from './look.ts'

let look: Look
let page: Page
let subscription: Subscription
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
  if (!found) throw new Error('no subscription has a company and a domain')
  subscription = found
})
afterAll(() => look?.close())

type Subscription = {
  subscriptionId: string
  companyName: string
  customerName: string | null
  customerEmail: string | null
  customerDomain: string
  productName: string
  currency: string
  quantity: number
  nextRenewalDate: string
  stripeLink: string
}
const open = () => page.goto(`/subscriptions/${subscription.subscriptionId}`)
const fact = (name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })

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
    // A link to another site says after its name that it opens a new tab.
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

it('keeps the page of the events in the address, and falls back to the last one', async () => {
  await page.goto(`/subscriptions/${subscription.subscriptionId}?page=40`)
  await page.waitForURL(`**/subscriptions/${subscription.subscriptionId}`)
  await table(page, 'Event History').locator('tbody tr').first().waitFor()
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
