import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alterAnswers } from '../faults.ts'
import { ask } from '../person.ts'
import {
  columnOf,
  columnsOf,
  expectTexts,
  expectTitle,
  openLook,
  rowsOf,
  type ScreenWorld,
  table,
} from './look.ts'

let look: ScreenWorld
let page: Page
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.demoOwner())
})
afterAll(() => look?.close())

type Amount = { currency: string; mrr: number }
type Row = {
  customerId: string
  customerName: string | null
  customerEmail: string | null
  companyName: string | null
  hubspotCompanyLink: string | null
  currentMrr: number
  reportingCurrency: string
  otherCurrencies: Amount[]
}
type Details = Row & {
  subscriptions: { count: number; first: { subscriptionId: string; currentMrr: number; currency: string }[] }
  events: { count: number; newest: { relatedSubscriptionId: string }[] }
  sameCompany: { otherCount: number; others: Row[]; totalMrr: number; otherCurrencies: Amount[] } | null
}
type List = { customers: Row[]; totalCount: number }
type History = { series: { currency: string; points: { mrr: number }[] }[] }

const path = '/api/customers'
const dollars = (cents: number) =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
const heading = (name: string) => page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
const region = (name: string) => page.getByRole('region', { name, exact: true })
const open = async ({ customerId, customerName }: Row) => {
  await page.goto(`/customers/${customerId}`)
  if (customerName !== null) await heading(customerName)
}

async function everyCustomer(): Promise<Row[]> {
  const rows: Row[] = []
  for (let at = 1; ; at += 1) {
    const { customers, totalCount } = await ask<List>(page, `${path}?limit=100&page=${at}`)
    rows.push(...customers)
    if (rows.length >= totalCount || customers.length === 0) return rows
  }
}

const byCurrency = (amounts: Amount[]) => {
  const sums = new Map<string, number>()
  for (const { currency, mrr } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + mrr)
  return [...sums].filter(([, sum]) => sum !== 0).sort()
}
type Sum = Pick<Row, 'currentMrr' | 'reportingCurrency' | 'otherCurrencies'>
const mrrOf = ({ reportingCurrency: currency, currentMrr: mrr, otherCurrencies }: Sum): Amount[] => [
  { currency, mrr },
  ...otherCurrencies,
]

it('adds up: customers are their subscriptions, their charts end there, and all come to the dashboard', async () => {
  const stats = await ask<Sum>(page, '/api/dashboard/stats')
  const rows = await everyCustomer()
  expect(byCurrency(rows.flatMap(mrrOf))).toEqual(byCurrency(mrrOf(stats)))
  const some = rows.filter((row, at) => at % 6 === 0 || row.otherCurrencies.length > 0)
  for (const row of some) {
    const { subscriptions, sameCompany } = await ask<Details>(page, `${path}/${row.customerId}`)
    expect(subscriptions.first).toHaveLength(subscriptions.count)
    const own = subscriptions.first.map(({ currency, currentMrr: mrr }) => ({ currency, mrr }))
    // Amounts of other currencies that have a rate are in the total by it.
    const isInOwn = own.every(({ currency }) =>
      [row.reportingCurrency, ...row.otherCurrencies.map((other) => other.currency)].includes(currency),
    )
    if (isInOwn) expect(byCurrency(own), row.customerId).toEqual(byCurrency(mrrOf(row)))
    const { series } = await ask<History>(page, `/api/mrr/history/customers/${row.customerId}`)
    const ends = series.map(({ currency, points }) => ({ currency, mrr: points.at(-1)?.mrr ?? 0 }))
    expect(byCurrency(ends), row.customerId).toEqual(byCurrency(own))
    if (sameCompany !== null)
      expect(byCurrency([row, ...sameCompany.others].flatMap(mrrOf))).toEqual(
        byCurrency(mrrOf({ ...row, ...sameCompany, currentMrr: sameCompany.totalMrr })),
      )
  }
})

it('lists customers by MRR, filtered, searched and sorted, and leads to each', async () => {
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Customers' }).click()
  await expectTitle(page, 'Customers')
  expect(await columnsOf(page, 'Customers')).toEqual([
    'Customer',
    'MRR',
    'Product',
    'Company',
    'Match',
    'Email',
    'First Paid',
  ])
  const { customers } = await ask<List>(page, `${path}?limit=10`)
  const names = customers.map((row) => row.customerName ?? row.customerEmail ?? row.customerId)
  await expect.poll(() => columnOf(page, 'Customers', 'Customer')).toEqual(names)
  await page.getByLabel('Match', { exact: true }).selectOption('Not Matched')
  await page.waitForURL('**/customers?isMatched=false')
  const unmatched = await ask<List>(page, `${path}?limit=10&isMatched=false`)
  await expectTexts(page, `1 to 10 of ${unmatched.totalCount}`)
  expect(new Set(await columnOf(page, 'Customers', 'Company'))).toEqual(new Set(['Not matched']))
  await page.getByRole('button', { name: 'Remove the filter Match: Not Matched' }).waitFor()
  await page.getByRole('button', { name: 'First Paid' }).click()
  await page.waitForURL('**/customers?isMatched=false&sort=firstPaidAt&order=asc')
  await page.getByRole('searchbox').fill('nobody at all')
  await expectTexts(page, 'No customers found')
})

it('filters customers by an amount as a person types it, and keeps what is typed when the panel closes', async () => {
  await page.goto('/customers')
  await page.getByRole('button', { name: 'Filters' }).click()
  const leftOut = page.getByText('What has no exchange rate is left out.')
  await expect.poll(() => leftOut.count()).toBe(1)
  const ends = await page.getByRole('group', { name: 'MRR', exact: true }).getByRole('textbox').all()
  const tops = await Promise.all(ends.map(async (end) => (await end.boundingBox())?.y))
  expect(tops).toEqual([tops[0], tops[0]])
  // The comma is typed key by key, as in a number of a contract.
  await page.getByLabel('MRR at least (USD)').pressSequentially('1,200.05')
  await page.keyboard.press('Escape')
  await page.waitForURL('**/customers?mrrFrom=120005')
  const { customers, totalCount } = await ask<List>(page, `${path}?mrrFrom=120005`)
  expect(customers.every(({ currentMrr }) => currentMrr >= 120_005)).toBe(true)
  await expectTexts(page, `1 to ${totalCount} of ${totalCount}`)
  await page.getByRole('button', { name: 'Remove the filter MRR at least $1,200.05' }).click()
  await page.waitForURL('**/customers')
})

it('filters customers by what one subscription of theirs is, with its sum, its file and a column of products', async () => {
  await page.goto('/customers?perPage=100')
  await page.getByRole('button', { name: 'Filters' }).click()
  const form = page.getByRole('dialog', { name: 'Filters' })
  const choose = async (label: string, option: string) => {
    await form.getByRole('combobox', { name: label }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
    await page.keyboard.press('Escape')
  }
  await choose('Subscription status', 'Active')
  await choose('Currency', 'EUR')
  await page.waitForURL('**/customers?status=active&currency=eur**')
  const wanted = 'status=active&currency=eur'
  type Subscriptions = { subscriptions: { customerId: string }[]; totalCount: number }
  const { subscriptions } = await ask<Subscriptions>(page, `/api/stripe/subscriptions?limit=100&${wanted}`)
  const ids = new Set(subscriptions.map(({ customerId }) => customerId))
  const { customers, totalCount } = await ask<List>(page, `${path}?limit=100&${wanted}`)
  expect(new Set(customers.map(({ customerId }) => customerId))).toEqual(ids)
  expect(totalCount).toBe(ids.size)
  await expectTexts(form, `Show ${totalCount}`)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove the filter Subscription status: Active' }).waitFor()
  await expectTexts(page, new RegExp(`MRR .* in ${totalCount} customers?$`))
  const file = await page.request.get(`/api/csv/customers?${wanted}`)
  expect((await file.text()).trim().split('\r\n')).toHaveLength(totalCount + 1)
  await page.goto(`/customers?${wanted}&perPage=100&columns=customerName,productNames,subscriptionCount`)
  const products = await columnOf(page, 'Customers', 'Product')
  expect(products).toHaveLength(totalCount)
  expect(products.filter((text) => text === '-')).toEqual([])
})

it('shows a customer with its chart, its subscriptions and the reason of its match', async () => {
  const { customers } = await ask<List>(page, `${path}?limit=100&isMatched=true`)
  const [row] = customers.filter(
    ({ customerName, otherCurrencies }) => customerName && !otherCurrencies.length,
  )
  if (row === undefined) throw new Error('no customer has a company')
  await open(row)
  await expectTitle(page, 'Customer')
  await expectTexts(region('MRR'), dollars(row.currentMrr))
  await expectTexts(region('ARR'), dollars(12 * row.currentMrr))
  const since = region('Customer Since').locator('time')
  expect(await since.getAttribute('title')).toMatch(/, \d{4}, \d+:\d\d:\d\d [AP]M /)
  await region('MRR over Time').locator('.recharts-area-curve').first().waitFor({ state: 'attached' })
  const names = await page
    .getByRole('region')
    .evaluateAll((found) => found.map((part) => part.getAttribute('aria-label')))
  expect(names).toContain('Subscriptions')
  expect(names).toEqual([...new Set(names)])
  await page.setViewportSize({ width: 360, height: 740 })
  await expectTexts(page.getByRole('row', { name: /^ARR/ }), dollars(12 * row.currentMrr))
  expect((await region('MRR over Time').boundingBox())?.y).toBeLessThan(520)
  await page.setViewportSize({ width: 1280, height: 860 })
  const company = page.getByRole('row', { name: /^Company/ }).getByRole('link')
  expect(await company.getAttribute('href')).toBe(row.hubspotCompanyLink)
  await expectTexts(page.getByRole('row', { name: /^Why/ }).getByRole('cell'), /^[A-Z].+\.$/)
  await rowsOf(page, 'Subscriptions')
  // Before and after, so that no event has to be opened for them.
  expect((await rowsOf(page, 'Events')).flat().join(' ')).toMatch(/\d+ → \d+/)
  expect((await rowsOf(page, 'Invoices Used')).flat().join(' ')).toMatch(/\$\d[\d,]*\.\d\d/)
  await table(page, 'Subscriptions').locator('tbody tr').first().click()
  await expectTitle(page, 'Subscription Details')
  await page
    .getByRole('row', { name: /^Customer / })
    .getByRole('link')
    .click()
  await heading(row.customerName ?? '')
})

it('names the other customers of the company, with what all of them come to', async () => {
  for (const row of await everyCustomer()) {
    if (row.hubspotCompanyLink === null) continue
    const { sameCompany } = await ask<Details>(page, `${path}/${row.customerId}`)
    if (sameCompany === null || sameCompany.otherCount === 0) continue
    await open(row)
    await expectTexts(page, `Other Customers of ${row.companyName}`)
    expect((await rowsOf(page, 'Other Customers')).length).toBe(sameCompany.others.length)
    return
  }
  throw new Error('no company has several customers')
})

it('shows customers that are deleted, erased, nameless or unknown to HubSpot', async () => {
  const [row] = (await ask<List>(page, `${path}?limit=1`)).customers
  if (row === undefined) throw new Error('there is no customer')
  const mend = await alterAnswers<Details>(page, `**${path}/${row.customerId}`, (one) => ({
    ...one,
    ...{ customerName: null, customerEmail: null, isDeleted: true, erasureId: 'erasure_1' },
    ...{ match: null, companyName: null, hubspotCompanyLink: null, sameCompany: null },
  }))
  await page.goto(`/customers/${row.customerId}`)
  await heading(row.customerId)
  await expectTexts(page, 'Deleted in Stripe', 'Erased', 'No email', 'See the certificate of the erasure')
  await expectTexts(page, 'This customer has not been looked up in HubSpot yet. The next sync does it.')
  await mend()
  await page.goto('/customers/cus_nobody_has_this')
  await expectTexts(page, 'Customer Not Found', 'The requested customer could not be found.')
  await page.getByRole('link', { name: 'Back to Customers' }).click()
  await page.waitForURL('**/customers')
})
