import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cutOff } from '../faults.ts'
import { ask } from '../person.ts'
import {
  button,
  colorOf,
  columnOf,
  columnsOf,
  expectPlacesKept,
  expectTexts,
  expectTitle,
  openLook,
  relisted,
  rowsOf,
  type ScreenWorld,
  table,
  widthOf,
} from './look.ts'
import { namelessOwner } from './nameless.ts'

let look: ScreenWorld
let page: Page
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.demoOwner())
})
afterAll(() => look?.close())

type List = {
  subscriptions: {
    subscriptionId: string
    status: string
    stripeLink: string
    companyName: string | null
    productName: string | null
    customerName: string | null
    customerEmail: string | null
    billingIntervalDays: number
    hubspotCompanyLink: string | null
  }[]
  totalCount: number
}
const label = 'Subscriptions'
const path = '/api/stripe/subscriptions'
const rowCount = () => table(page, label).locator('tbody tr').count()
const pages = () =>
  page.getByRole('navigation', { name: 'Pagination' }).getByRole('button', { name: /^Page/ })

it('has every column, all sortable, newest first, and no narrower than 1500 px', async () => {
  await page.goto('/subscriptions?columns=all')
  await expectTitle(page, 'Subscriptions')
  expect(await columnsOf(page, label)).toEqual([
    'Last Updated',
    'Company',
    'MRR',
    'Product',
    'Status',
    'Customer Name',
    'Customer Email',
    'Quantity',
    'Billing Interval',
    'Period Start',
    'Period End',
    'Next Renewal',
    'View in Stripe',
  ])
  await rowsOf(page, label)
  const sorts = await table(page, label)
    .locator('thead th')
    .evaluateAll((headers) => headers.map((header) => header.getAttribute('aria-sort')))
  expect(sorts).toEqual(['descending', ...Array(11).fill('none'), null])
  expect(await widthOf(table(page, label))).toBeGreaterThanOrEqual(1500)
  expect(await rowCount()).toBe(10)
  const money = /^(-?[$€£¥]|[A-Z]{3}\s)[\d,]+(\.\d\d)?(, .+)?$|^Not counted$/
  const day = /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/
  const renewal = /^(Ends )?[A-Z][a-z]{2} \d{1,2}, \d{4}$|^N\/A$/
  const forms: [string, RegExp][] = [
    ['Last Updated', day],
    ['MRR', money],
    ['Period Start', day],
    ['Period End', day],
    ['Next Renewal', renewal],
  ]
  for (const [column, form] of forms)
    for (const text of await columnOf(page, label, column)) expect(text, column).toMatch(form)
})

it('narrows by status, each with its badge, and shows the whole words', async () => {
  await page.goto('/subscriptions')
  const filter = page.getByLabel('Status', { exact: true })
  await filter.waitFor()
  await expect
    .poll(() => filter.locator('option').allTextContents())
    .toEqual(['All Statuses', 'Active', 'Trialing', 'Past Due', 'Unpaid', 'Canceled'])
  const colors = new Map<string, string>()
  for (const [status, words] of [
    ['active', 'Active'],
    ['trialing', 'Trialing'],
    ['past_due', 'Past Due'],
    ['unpaid', 'Unpaid'],
    ['canceled', 'Canceled'],
  ] as const) {
    const { totalCount } = await ask<List>(page, `/api/stripe/subscriptions?status=${status}`)
    await relisted(page, path, () => filter.selectOption(status))
    await page.waitForURL(`**/subscriptions?status=${status}`)
    if (totalCount === 0) {
      await expectTexts(page, 'No subscriptions found')
      continue
    }
    await expectTexts(page, `1 to ${Math.min(10, totalCount)} of ${totalCount}`)
    expect(new Set(await columnOf(page, label, 'Status'))).toEqual(new Set([words]))
    const badge = table(page, label).getByText(words, { exact: true }).first()
    colors.set(status, await colorOf(badge))
  }
  const other = [...colors].filter(([status]) => !['active', 'trialing', 'canceled'].includes(status))
  const named = ['active', 'trialing', 'canceled'].map((status) => colors.get(status) ?? `no ${status}`)
  expect(new Set([...named, other[0]?.[1] ?? 'grey']).size).toBe(4)
  expect(new Set(other.map(([, color]) => color)).size).toBeLessThanOrEqual(1)
})

it('has a word and a color for every status, and for every billing interval', async () => {
  const { subscriptions } = await ask<List>(page, '/api/stripe/subscriptions?limit=100')
  await page.goto('/subscriptions?perPage=100&columns=all')
  const words = (status: string) =>
    status.replaceAll('_', ' ').replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
  expect(await columnOf(page, label, 'Status')).toEqual(subscriptions.map(({ status }) => words(status)))
  const badges = await table(page, label)
    .locator('tbody td:nth-child(5) .mantine-Badge-root')
    .evaluateAll((found) => found.map((badge) => getComputedStyle(badge).color))
  const colors = new Map(subscriptions.map(({ status }, at) => [status, badges[at]]))
  expect(colors.size).toBeGreaterThan(5)
  const named = ['active', 'trialing', 'canceled']
  const grey = new Set([...colors].filter(([status]) => !named.includes(status)).map(([, color]) => color))
  expect([grey.size, new Set(colors.values()).size]).toEqual([1, 4])

  const intervals = new Map([
    [30, 'Monthly'],
    [90, 'Quarterly'],
    [365, 'Annual'],
    [1, 'Daily'],
    [7, 'Weekly'],
    [14, 'Every 2 weeks'],
    [180, 'Every 6 months'],
    [730, 'Every 2 years'],
  ])
  expect(await columnOf(page, label, 'Billing Interval')).toEqual(
    subscriptions.map(({ billingIntervalDays: days }) => intervals.get(days) ?? `${days} days`),
  )
})

it('keeps search, filter, order, page size and page in the address, through back and reload', async () => {
  await page.goto('/subscriptions')
  await relisted(page, path, () => button(page, 'Page 2').click())
  await page.waitForURL(/\?page=2$/)
  await expectTexts(page, /^11 to 20 of /)

  const sortByMrr = () => table(page, label).getByRole('button', { name: 'MRR' }).click()
  await relisted(page, path, sortByMrr)
  await page.waitForURL(/\?sort=currentMrr$/)
  await expect
    .poll(async () => {
      const cents = (await columnOf(page, label, 'MRR'))
        .filter((text) => text.startsWith('$'))
        .map((text) => Number(text.replaceAll(/[$,]/g, '')))
      return cents.length > 1 && cents.every((value, at) => at === 0 || value <= (cents[at - 1] ?? 0))
    })
    .toBe(true)
  await sortByMrr()
  await page.waitForURL(/sort=currentMrr&order=asc$/)

  await page.getByLabel('Per page').selectOption('25')
  await page.waitForURL(/perPage=25/)
  await expect.poll(rowCount).toBe(25)
  await expect
    .poll(() => page.getByLabel('Per page').locator('option').allTextContents())
    .toEqual(['10', '25', '50', '100'])
  await button(page, 'Page 2').click()
  await page.getByPlaceholder('Search subscriptions...').fill('.example')
  await page.waitForURL((url) => url.search === '?search=.example&sort=currentMrr&order=asc&perPage=25')
  await page.reload()
  await expect.poll(rowCount).toBe(25)
  await expect.poll(() => page.getByPlaceholder('Search subscriptions...').inputValue()).toBe('.example')
  await page.goBack()
  await page.waitForURL(/perPage=25&page=2$/)
  await expect.poll(() => page.getByPlaceholder('Search subscriptions...').inputValue()).toBe('')
  // The choice is kept for other lists, and so for the tests below.
  await page.getByLabel('Per page').selectOption('10')
  await expect.poll(rowCount).toBe(10)
})

it('falls back to the last page from a number that is too high', async () => {
  const { totalCount } = await ask<List>(page, '/api/stripe/subscriptions')
  const last = Math.ceil(totalCount / 10)
  await page.goto('/subscriptions?page=999')
  await page.waitForURL(`**/subscriptions?page=${last}`)
  await expectTexts(page, `${(last - 1) * 10 + 1} to ${totalCount} of ${totalCount}`)
  await expect.poll(() => button(page, 'Next page').isDisabled()).toBe(true)
})

it('shows every page up to five, and first, last and neighbours of more', async () => {
  const { totalCount } = await ask<List>(page, '/api/stripe/subscriptions')
  expect(totalCount).toBeGreaterThan(70)
  await page.goto('/subscriptions?page=4')
  const last = Math.ceil(totalCount / 10)
  await expect.poll(() => pages().allTextContents()).toEqual([...new Set(['1', '3', '4', '5', String(last)])])
  await expect.poll(() => page.getByRole('navigation', { name: 'Pagination' }).getByText('…').count()).toBe(2)
  await button(page, 'Previous page').click()
  await page.waitForURL(/page=3$/)
  await page.goto('/subscriptions?perPage=25')
  const few = Math.ceil(totalCount / 25)
  expect(few).toBeLessThanOrEqual(5)
  await expect
    .poll(() => pages().allTextContents())
    .toEqual(Array.from({ length: few }, (_, at) => String(at + 1)))
  await expect.poll(() => button(page, 'Previous page').isDisabled()).toBe(true)
})

it('links the companies that HubSpot has, and no others', async () => {
  const { subscriptions } = await ask<List>(page, '/api/stripe/subscriptions?limit=100')
  await page.goto('/subscriptions?perPage=100&columns=all')
  await rowsOf(page, label)
  const links = await table(page, label)
    .locator('tbody td:nth-child(2)')
    .evaluateAll((cells) =>
      cells.map((cell) => cell.querySelector('a[target=_blank]')?.getAttribute('href') ?? null),
    )
  expect(links).toEqual(subscriptions.map(({ hubspotCompanyLink }) => hubspotCompanyLink))
  expect(new Set(links)).toContain(null)
})

it('has words for what Stripe has no name for', async () => {
  const nameless = await namelessOwner(look)
  const { subscriptions } = await ask<List>(nameless, '/api/stripe/subscriptions?limit=100')
  await nameless.goto('/subscriptions?perPage=100&columns=all')
  const expected = (field: 'companyName' | 'customerName' | 'customerEmail' | 'productName', words: string) =>
    subscriptions.map((row) => row[field] ?? words)
  for (const [column, field, words] of [
    ['Company', 'companyName', 'Unknown Company'],
    ['Product', 'productName', '-'],
    ['Customer Name', 'customerName', '-'],
    ['Customer Email', 'customerEmail', '-'],
  ] as const) {
    expect(await columnOf(nameless, label, column)).toEqual(expected(field, words))
    expect(expected(field, words)).toContain(words)
  }
})

it('ends a long address in an ellipsis, whole on hover, so that the column of the order stays in view', async () => {
  await page.goto('/subscriptions')
  const address = table(page, label).locator('tbody [title*="@"]').first()
  await expect.poll(() => address.getAttribute('title')).toBe(await address.textContent())
  expect(await widthOf(address)).toBeLessThanOrEqual(160)
})

it('keeps the place of the rows that are still to come', async () => {
  await page.goto('/subscriptions')
  await expectPlacesKept(page, label)
})

it('leads to Stripe in a new tab, to the company in HubSpot, and by the row to the details', async () => {
  const { subscriptions } = await ask<List>(page, '/api/stripe/subscriptions?limit=10')
  await page.goto('/subscriptions?columns=all')
  const link = table(page, label).getByRole('link', { name: /^View/ }).first()
  expect(await link.getAttribute('href')).toBe(subscriptions[0]?.stripeLink)
  expect(await link.getAttribute('target')).toBe('_blank')
  expect(await link.getAttribute('rel')).toContain('noopener')
  const [hubspot] = await Promise.all([
    page.waitForEvent('popup'),
    table(page, label).locator('tbody td:nth-child(2) a[target=_blank]').first().click(),
  ])
  expect(new URL(hubspot.url()).origin).toBe(look.hubspotUrl)
  await hubspot.close()
  await table(page, label)
    .locator('tbody tr')
    .first()
    .click({ position: { x: 3, y: 3 } })
  await page.waitForURL(`**/subscriptions/${subscriptions[0]?.subscriptionId}`)
})

it('says that nothing was found, and that the list could not be fetched', async () => {
  await page.goto('/subscriptions?search=nobody-has-this-name')
  await expectTexts(page, 'No subscriptions found')
  const mend = await cutOff(page, '*/api/stripe/subscriptions*')
  await page.reload()
  await expectTexts(page, 'An error occurred while fetching subscriptions.')
  await expect
    .poll(() => page.getByPlaceholder('Search subscriptions...').inputValue())
    .toBe('nobody-has-this-name')
  await mend()
})
