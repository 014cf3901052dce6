import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectTexts, expectTitle, openLook, rowsOf, type ScreenWorld } from './look.ts'

let look: ScreenWorld
let page: Page
beforeAll(async () => {
  look = await openLook()
  page = (await look.demoOwner()).page
})
afterAll(() => look?.close())

const menu = () => page.getByRole('dialog', { name: 'Search and commands' })
const field = () => menu().getByRole('combobox', { name: 'Search and commands' })

async function openMenu(): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect.poll(() => field().evaluate((element) => element === document.activeElement)).toBe(true)
}

type Row = { subscriptionId: string; companyName: string | null; customerId: string }

async function someSubscription(): Promise<Row> {
  const { subscriptions } = await (await page.request.get('/api/stripe/subscriptions?limit=50')).json()
  const found = (subscriptions as Row[]).find(({ companyName }) => companyName !== null)
  if (found === undefined) throw new Error('no subscription has a company')
  return found
}

it('leads to screens, to records by name, and back to what was open before', async () => {
  const { companyName, subscriptionId } = await someSubscription()
  await page.goto('/')
  await expectTitle(page, 'Dashboard')
  await openMenu()
  await page.keyboard.type('mrr ana')
  await menu().getByText('MRR Analytics').waitFor()
  await page.keyboard.press('Enter')
  await expectTitle(page, 'MRR Analytics')
  await menu().waitFor({ state: 'hidden' })

  await openMenu()
  await page.keyboard.type(companyName ?? '')
  await menu().getByText(subscriptionId).click()
  await expectTitle(page, 'Subscription Details')
  await openMenu()
  await menu()
    .getByRole('option', { name: companyName ?? '' })
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await menu().waitFor({ state: 'hidden' })
})

it('leads from a pasted id straight to its record', async () => {
  const { subscriptionId, customerId } = await someSubscription()
  const { transactions } = await (await page.request.get('/api/stripe/transactions?mrrStatus=New')).json()
  const invoiceId: string = transactions[0].invoiceId
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const [id, title] of [
    [subscriptionId, 'Subscription Details'],
    [customerId, 'Customer'],
    [invoiceId, 'Subscription Details'],
  ] as const) {
    await page.goto('/')
    await expectTitle(page, 'Dashboard')
    await openMenu()
    await page.evaluate((text) => navigator.clipboard.writeText(text), id)
    await page.keyboard.press('Control+v')
    await expectTitle(page, title)
    await expect.poll(() => page.url()).toContain(id)
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  }
  const invoice = page.getByRole('region', { name: /^Invoice / })
  await expectTexts(invoice, /^\$\d/, 'Paid', 'Without added tax')
})

it('leads to the record of an id that is pasted while the menu opens', async () => {
  const { customerId } = await someSubscription()
  await page.goto('/')
  await expectTitle(page, 'Dashboard')
  await page.evaluate((text) => navigator.clipboard.writeText(text), customerId)
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+v')
  await expect.poll(() => page.url()).toContain(customerId)
  await menu().waitFor({ state: 'hidden' })
})

it('finds terms, parts of screens and files once something is typed', async () => {
  await page.goto('/')
  await expectTitle(page, 'Dashboard')
  await openMenu()
  const option = (name: string) => menu().getByRole('option', { name, exact: true })
  expect(await option('Churn').count()).toBe(0)
  await page.keyboard.type('nrr')
  await option('NRR').click()
  await expectTitle(page, 'Terms and Rules')
  await expect.poll(() => page.url()).toContain('/terms#nrr')
  await expect
    .poll(() => page.locator('#nrr').evaluate((place) => place.getBoundingClientRect().top))
    .toBeLessThan(200)
  await menu().waitFor({ state: 'hidden' })
  await openMenu()
  await page.keyboard.type('activity')
  await option('Activity').click()
  await page.getByRole('tab', { name: 'Activity', selected: true }).waitFor()
  await menu().waitFor({ state: 'hidden' })
  await openMenu()
  await page.keyboard.type('export events')
  const file = page.waitForEvent('download')
  await option('Export events').click()
  expect((await file).suggestedFilename()).toMatch(/\.csv$/)
  await expectTitle(page, 'Account Settings')
})

it('leads to everything with a text in a list, also where no record is found', async () => {
  const { subscriptions } = await (await page.request.get('/api/stripe/subscriptions?limit=1')).json()
  const product: string = subscriptions[0].productName
  await page.goto('/')
  await expectTitle(page, 'Dashboard')
  await openMenu()
  const searches = menu().getByRole('group', { name: 'Search in a list' }).getByRole('option')
  expect(await searches.count()).toBe(0)
  await page.keyboard.type(product)
  const lists = ['Customers', 'Subscriptions', 'Events']
  await expect
    .poll(() => searches.allTextContents())
    .toEqual(lists.map((list) => `${list} with "${product}"`))
  // The last ones are nearest from below.
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await menu()
    .getByRole('option', { name: `Subscriptions with "${product}"`, selected: true })
    .waitFor()
  await page.keyboard.press('Enter')
  await expectTitle(page, 'Subscriptions')
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe(product)
  expect((await rowsOf(page, 'Subscriptions')).length).toBeGreaterThan(0)
  await menu().waitFor({ state: 'hidden' })

  const { subscriptionId } = subscriptions[0]
  await openMenu()
  await page.keyboard.type(subscriptionId)
  await expect.poll(() => searches.count()).toBe(3)
  await menu().getByRole('option', { name: subscriptionId, selected: true }).first().waitFor()
  await page.keyboard.press('Enter')
  await expectTitle(page, 'Subscription Details')
  await menu().waitFor({ state: 'hidden' })

  await openMenu()
  await page.keyboard.type('no & such')
  await expectTexts(menu(), 'Nothing found')
  await menu().getByRole('status').getByText('0 results').waitFor()
  await menu().getByRole('option', { name: 'Customers with "no & such"', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await expectTitle(page, 'Customers')
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('no & such')
})

const pending = async () => (await (await page.request.get('/api/matches?state=pending')).json()).pagination

it('takes what is typed while it opens, and no key of the page decides anything', async () => {
  const before: unknown = await pending()
  await page.goto('/match-review')
  await page.locator('[data-customer]').first().focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('aix sync h')
  await expect.poll(() => field().inputValue()).toBe('aix sync h')
  expect(await pending()).toEqual(before)
  await page.keyboard.press('Escape')
  await menu().waitFor({ state: 'hidden' })
})

it('has forgotten the text of before when it is opened again while it closes', async () => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  await expectTitle(page, 'Dashboard')
  await openMenu()
  await page.keyboard.type('sync')
  await expect.poll(() => field().inputValue()).toBe('sync')
  await page.keyboard.press('Escape')
  await openMenu()
  await page.keyboard.type('events')
  await expect.poll(() => field().inputValue()).toBe('events')
  await menu().getByRole('option', { name: 'Events' }).first().waitFor()
  await page.keyboard.press('Escape')
  await menu().waitFor({ state: 'hidden' })
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

it('tells screen readers which result is selected, and changes the theme', async () => {
  await page.goto('/')
  await expectTitle(page, 'Dashboard')
  await openMenu()
  const selected = async () => {
    const id = await field().getAttribute('aria-activedescendant')
    return id ? menu().locator(`#${id}[role="option"][aria-selected="true"]`).textContent() : ''
  }
  await page.keyboard.type('theme')
  await expect.poll(selected).toContain('light theme')
  await page.keyboard.press('ArrowDown')
  await expect.poll(selected).toContain('dark theme')
  await page.keyboard.press('Enter')
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
  await expect.poll(scheme).toBe('dark')
  await page.evaluate(() => localStorage.removeItem('mantine-color-scheme-value'))
})

it('has keys for screens, for the search of a list and for their overview, but not in a field', async () => {
  await page.goto('/')
  await expectTitle(page, 'Dashboard')
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expectTitle(page, 'Subscriptions')
  await rowsOf(page, 'Subscriptions')
  const focusedRow = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('tbody tr')].findIndex((row) => row.contains(document.activeElement)),
    )
  for (const [key, row] of [
    ['j', 0],
    ['j', 1],
    ['k', 0],
    ['k', 0],
  ] as const) {
    await page.keyboard.press(key)
    expect(await focusedRow()).toBe(row)
  }
  await page.keyboard.press('/')
  const search = page.getByRole('searchbox')
  await expect.poll(() => search.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.type('g?e/')
  await expect.poll(() => search.inputValue()).toBe('g?e/')
  await search.blur()
  await page.keyboard.press('?')
  await expectTexts(page.getByRole('dialog', { name: 'Keyboard shortcuts' }), 'Search and commands')
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  await page.keyboard.press('Escape')
  await expectTitle(page, 'Subscriptions')

  // A accepts a match, but not as the second key of G A.
  const before: unknown = await pending()
  await page.goto('/match-review')
  await page.locator('[data-customer]').first().focus()
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expectTitle(page, 'Account Settings')
  expect(await pending()).toEqual(before)
})
