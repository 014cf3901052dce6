import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alterAnswers, cutOff } from '../faults.ts'
import { ask } from '../person.ts'
import {
  columnOf,
  columnsOf,
  expectPlacesKept,
  expectTexts,
  expectTitle,
  openLook,
  relisted,
  type ScreenWorld,
  table,
} from './look.ts'
import { namelessOwner } from './nameless.ts'

let look: ScreenWorld
let page: Page
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.demoOwner())
})
afterAll(() => look?.close())

const label = 'Events'
const path = '/api/stripe/transactions'
type Event = {
  transactionId: string
  relatedSubscriptionId: string | null
  customerId: string | null
  invoiceId: string | null
  invoiceNumber: string | null
  companyName: string | null
  customerName: string | null
  customerEmail: string | null
  customerDomain: string | null
  paymentMethod: string | null
  changeType: string | null
}
type List = {
  transactions: Event[]
  totalCount: number
}

it('has every column and ten rows', async () => {
  await page.goto('/events?columns=all')
  await expectTitle(page, 'Events')
  expect(await columnsOf(page, label)).toEqual([
    'Event Date',
    'Invoice',
    'Company',
    'Customer Name',
    'Customer Email',
    'Customer Domain',
    'Payment Method',
    'Transaction Type',
    'Change Type',
    'Previous MRR',
    'Current MRR',
    'MRR Change',
    'Previous Qty',
    'Current Qty',
  ])
  const changes = await columnOf(page, label, 'MRR Change')
  expect(changes).toHaveLength(10)
  for (const change of changes) expect(change).toMatch(/^([+-]\D{1,4}\d|\D{1,4}0)/)
})

it('narrows by type, and keeps that with search and page size in the address', async () => {
  await page.goto('/events')
  const filter = page.getByLabel('Event type')
  await filter.waitFor()
  const words = await filter.locator('option').allTextContents()
  // The last one is our addition: a planned end is an event too.
  expect(words).toEqual([
    'All Types',
    'New',
    'Upgrade',
    'Downgrade',
    'Churn',
    'Reactivation',
    'Planned Cancellation',
  ])
  await expect
    .poll(() => page.getByLabel('Per page').locator('option').allTextContents())
    .toEqual(['10', '25', '50', '100'])
  const { totalCount } = await ask<List>(page, `${path}?mrrStatus=Upgrade&search=example`)
  expect(totalCount).toBeGreaterThan(0)
  await relisted(page, path, () => filter.selectOption('Upgrade'))
  await page.waitForURL(/\?mrrStatus=Upgrade$/)
  expect(new Set(await columnOf(page, label, 'Transaction Type'))).toEqual(new Set(['Upgrade']))
  await page.getByLabel('Per page').selectOption('100')
  await page.getByPlaceholder('Search events...').fill('example')
  await page.waitForURL((url) => url.search === '?search=example&mrrStatus=Upgrade&perPage=100')
  await page.reload()
  await expectTexts(page, `1 to ${totalCount} of ${totalCount}`)
  await page.goBack()
  await page.waitForURL(/\?mrrStatus=Upgrade&perPage=100$/)
  await expect.poll(() => page.getByPlaceholder('Search events...').inputValue()).toBe('')
  // The choice is kept for other lists, and so for the tests below.
  await page.getByLabel('Per page').selectOption('10')
  await page.waitForURL((url) => !url.search.includes('perPage=100'))
})

it('falls back to the last page, and a search begins at the first', async () => {
  const { totalCount } = await ask<List>(page, path)
  const last = Math.ceil(totalCount / 10)
  await page.goto('/events?page=500')
  await page.waitForURL(`**/events?page=${last}`)
  await page.getByPlaceholder('Search events...').fill('a')
  await page.waitForURL(/\?search=a$/)
})

it('leads to the invoice in Stripe, and by the row to the subscription', async () => {
  const { transactions } = await ask<List>(page, `${path}?limit=10`)
  await page.goto('/events?columns=all')
  const at = transactions.findIndex(({ invoiceId }) => invoiceId !== null)
  const link = table(page, label).locator('tbody tr').nth(at).locator('td').nth(1).getByRole('link')
  const [invoice] = await Promise.all([page.waitForEvent('popup'), link.click()])
  await invoice
    .getByText(transactions[at]?.invoiceId ?? '')
    .first()
    .waitFor()
  expect(new URL(invoice.url()).origin).toBe(look.stripeUrl)
  await invoice.close()
  await table(page, label).locator('tbody tr').nth(1).locator('td').last().click()
  const { relatedSubscriptionId, transactionId } = transactions[1] ?? {}
  await page.waitForURL(
    ({ pathname, searchParams }) =>
      pathname === `/subscriptions/${relatedSubscriptionId}` && searchParams.get('event') === transactionId,
  )
})

it('has words for what is not known of an event', async () => {
  const nameless = await namelessOwner(look)
  const { transactions } = await ask<List>(nameless, `${path}?limit=100`)
  await nameless.goto('/events?perPage=100&columns=all')
  for (const [column, field, words] of [
    ['Company', 'companyName', 'Unknown Company'],
    ['Customer Name', 'customerName', '-'],
    ['Customer Email', 'customerEmail', '-'],
    ['Customer Domain', 'customerDomain', '-'],
    ['Payment Method', 'paymentMethod', '-'],
  ] as const) {
    const shown = await columnOf(nameless, label, column)
    expect(shown.map(withoutHint)).toEqual(transactions.map((event) => event[field] ?? words))
    expect(shown).toContain(words)
  }
  const invoices = await columnOf(nameless, label, 'Invoice')
  expect(invoices.map(withoutHint)).toEqual(
    transactions.map(({ invoiceNumber, invoiceId }) => invoiceNumber ?? invoiceId ?? '-'),
  )
  expect(invoices).toContain('-')
  // Nameless customers are told apart, and lead to their pages.
  const unknown = table(nameless, label).getByRole('link', { name: 'Unknown Company', exact: true })
  const told = await unknown.evaluateAll((found) =>
    found.map((link) => [link.getAttribute('title'), link.getAttribute('href')]),
  )
  const known = transactions.filter(({ companyName }) => companyName === null)
  expect(told).toEqual(
    known.map(({ customerEmail, customerId }) => [
      customerEmail ?? `Customer ${customerId}`,
      `/customers/${customerId}`,
    ]),
  )
  expect(new Set(told.map(([hint]) => hint)).size).toBeGreaterThan(1)
})
/** The text of a link to another site ends with a hint that it opens a new tab. */
const withoutHint = (text: string) => text.replace(/\s*\(opens in a new tab\)$/, '')

it('shows a dash for a change, and leads nowhere, where an answer altered on its way leaves both out', async () => {
  const mend = await alterAnswers<List>(page, `**${path}?*`, (list) => ({
    ...list,
    transactions: list.transactions.map((event) => ({
      ...event,
      changeType: null,
      relatedSubscriptionId: null,
    })),
  }))
  await page.goto('/events')
  expect(new Set(await columnOf(page, label, 'Change Type'))).toEqual(new Set(['-']))
  const row = table(page, label).locator('tbody tr').first()
  await row.locator('td').last().click()
  expect(await row.getByRole('link', { name: /^Open the subscription of / }).count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/events')
  await mend()
})

it('keeps the place of the rows that are still to come', async () => {
  await page.goto('/events')
  await expectPlacesKept(page, label)
  expect(await columnOf(page, label, 'Company')).toHaveLength(10)
})

it('says that nothing was found, and that the list could not be fetched', async () => {
  await page.goto('/events?search=nobody-has-this-name')
  await expectTexts(page, 'No events found.')
  const mend = await cutOff(page, `*${path}*`)
  await page.reload()
  await expectTexts(page, 'An error occurred while fetching events.')
  await mend()
})

it('is where the old Transactions address leads', async () => {
  await page.goto('/transactions')
  await page.waitForURL('**/events')
})

it('asks for the whole of a day that lacks its year, which means no limit otherwise', async () => {
  await page.goto('/events')
  await page.getByRole('button', { name: 'Custom' }).click()
  const first = page.getByLabel('First day')
  await first.pressSequentially('0315')
  await page.getByRole('button', { name: 'Show these days' }).click()
  await expectTexts(page, 'The day is not complete.')
  expect(new URL(page.url()).search).toBe('')
  await first.pressSequentially('03152026')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/events?from=2026-03-15&to=')
})
