import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alterAnswers, cutOff } from '../faults.ts'
import { ask } from '../person.ts'
import { becomeOwner } from '../prepare.ts'
import {
  columnOf,
  columnsOf,
  countRequests,
  expectTexts,
  expectTitle,
  isGreen,
  openLook,
  rowsOf,
  type ScreenWorld,
  slowNetwork,
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

type Event = {
  mrrChange: number
  currency: string
  changeType: string | null
  previousQuantity: number
  currentQuantity: number
  relatedSubscriptionId: string
  hubspotCompanyLink: string | null
}
const moneyOf = (amount: number, currency: string) =>
  (amount / (currency === 'jpy' ? 1 : 100)).toLocaleString('en-US', { style: 'currency', currency })
const dollars = (cents: number) => moneyOf(cents, 'usd')
const card = (name: string) => page.getByRole('region', { name, exact: true })

it('asks who is there while its code loads, and only once', async () => {
  const calls = ['/api/about', '/api/auth/current-user'].map((path) => countRequests(page, path))
  await page.goto('/')
  await expectTitle(page, 'Dashboard')
  expect(calls.map((count) => count())).toEqual([1, 1])
  const starts = await page.evaluate(() => {
    const startOf = (part: string) =>
      performance.getEntriesByType('resource').find(({ name }) => name.includes(part))?.startTime ??
      Number.NaN
    return { asked: startOf('/api/auth/current-user'), shell: startOf('/assets/shell') }
  })
  expect(starts.asked).toBeLessThan(starts.shell)
})

it('shows the three figures of today at / and at /dashboard', async () => {
  type Stats = { currentMrr: number; activeSubscriptions: number }
  const { currentMrr, activeSubscriptions } = await ask<Stats>(page, '/api/dashboard/stats')
  expect(currentMrr).toBeGreaterThan(0)
  for (const path of ['/', '/dashboard']) {
    await page.goto(path)
    await expectTitle(page, 'Dashboard')
    await expectTexts(card('Current MRR'), dollars(currentMrr), 'As of today')
    await expectTexts(card('Active Subscriptions'), String(activeSubscriptions))
    await expectTexts(card('Avg Revenue Per Customer'), dollars(Math.round(currentMrr / activeSubscriptions)))
  }
})

/** The cards whose figure, or a text beside it, does not fit. */
function cutFigures(): Promise<(string | null)[]> {
  return page.locator('section').evaluateAll((cards) =>
    cards.flatMap((one) => {
      const inner = [...one.querySelectorAll('p, div')].filter(
        (part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX === 'hidden',
      )
      const figure = one.querySelector('[data-figure]')
      if (figure === null) return []
      const range = document.createRange()
      range.selectNodeContents(figure)
      const isOut = range.getBoundingClientRect().right > one.getBoundingClientRect().right
      return isOut || inner.length > 0 ? [one.getAttribute('aria-label')] : []
    }),
  )
}

it('never cuts a figure, however long it is and however narrow the window', async () => {
  await alterAnswers<object>(page, '**/api/dashboard/stats', (stats) => ({
    ...stats,
    currentMrr: 987_654_321_098,
  }))
  const size = page.viewportSize()
  for (const path of ['/', '/mrr-analytics']) {
    await page.goto(path)
    await expectTexts(card('Current MRR'), '$9,876,543,210.98')
    await expect.poll(() => page.locator('[data-figure]').count()).toBeGreaterThan(1)
    for (const width of [320, 360, 768, 820, 890, 1_024, 1_280, 1_920]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => cutFigures(), { message: `${path} at ${width}` }).toEqual([])
    }
  }
  if (size !== null) await page.setViewportSize(size)
  await page.unroute('**/api/dashboard/stats')
})

it('asks for everything once, together with who is there', async () => {
  const asked = ['stats', 'attention', 'recent-transactions', 'upcoming-renewals'].map((name) =>
    countRequests(page, `/api/dashboard/${name}`),
  )
  asked.push(countRequests(page, '/api/mrr/movements'))
  await page.goto('/')
  await rowsOf(page, 'Recent Events')
  await rowsOf(page, 'Upcoming Renewals')
  await card('Movements').getByRole('list', { name: 'Sums' }).waitFor()
  expect(asked.map((count) => count())).toEqual([1, 1, 1, 1, 1])
})

it('shows what the running month and the chosen days moved, each figure with its events', async () => {
  type Moved = { periods: { isRunning: boolean; net: number }[]; total: { net: number } }
  const today = new Date().toISOString().slice(0, 10)
  const moved = (from: string) => ask<Moved>(page, `/api/mrr/movements?from=${from}&to=${today}`)
  const signed = (cents: number) => (cents > 0 ? '+' : '') + dollars(cents)
  const first = `${today.slice(0, 7)}-01`
  const month = (await moved(first)).total.net
  await page.goto('/')
  await expectTexts(card('Net New MRR'), signed(month))
  await expectTexts(card('Current MRR'), signed(month))
  await card('Net New MRR').getByRole('link', { name: 'Net New MRR' }).click()
  await page.waitForURL(`**/events?from=${first}&to=${today}`)
  await page.goBack()
  await card('Movements').getByRole('link', { name: '30 days' }).click()
  await page.waitForURL('**/?range=30d')
  const from = new Date(Date.parse(today) - 29 * 86_400_000).toISOString().slice(0, 10)
  const sums = card('Movements').getByRole('list', { name: 'Sums' })
  await expectTexts(sums, signed((await moved(from)).total.net))
  await card('Movements').getByLabel('Compare with the period before').click()
  await expectTexts(sums, /^before /)
  await card('Movements').getByRole('link', { name: 'View All Movements' }).click()
  await page.waitForURL(/mrr-analytics\?.*range=30d/)
})

it('has links of at least 24 px to what needs attention', async () => {
  await page.goto('/')
  const links = page.getByRole('region', { name: 'Needs attention' }).getByRole('link')
  await links.first().waitFor()
  const heights = await links.evaluateAll((found) => found.map((link) => link.getBoundingClientRect().height))
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(24)
})

it('keeps the places of what is still to come', async () => {
  await page.goto('/events')
  await rowsOf(page, 'Events')
  const atOnce = await slowNetwork(page, 1_500)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click()
  for (const name of ['Current MRR', 'Active Subscriptions', 'Avg Revenue Per Customer'])
    await card(name).locator('.mantine-Skeleton-root[data-visible]').waitFor()
  for (const name of ['Recent Events', 'Upcoming Renewals'])
    await card(name).getByRole('status', { name: 'Loading rows' }).waitFor()
  const topOf = async () => (await card('Upcoming Renewals').boundingBox())?.y ?? 0
  const before = await topOf()
  await rowsOf(page, 'Recent Events')
  await rowsOf(page, 'Upcoming Renewals')
  await expect.poll(() => page.locator('.mantine-Skeleton-root[data-visible]').count()).toBe(0)
  // Only a second line with other currencies may push the content down.
  expect((await topOf()) - before).toBeLessThan(22)
  await atOnce()
})

it('lists recent events with signed changes, and leads from a row to its subscription', async () => {
  const { transactions } = await ask<{ transactions: Event[] }>(page, '/api/dashboard/recent-transactions')
  await page.goto('/')
  expect(await columnsOf(page, 'Recent Events')).toEqual([
    'Event Date',
    'Company',
    'Event Type',
    'Change Type',
    'MRR Change',
    'Quantity',
  ])
  const changes = await columnOf(page, 'Recent Events', 'MRR Change')
  expect(changes).toEqual(
    transactions.map(({ mrrChange, currency }) => (mrrChange > 0 ? '+' : '') + moneyOf(mrrChange, currency)),
  )
  expect(await columnOf(page, 'Recent Events', 'Quantity')).toEqual(
    transactions.map(({ previousQuantity: before, currentQuantity: after, changeType }) => {
      const delta = `${after > before ? '+' : ''}${after - before}`
      return `${before} → ${after}${changeType === 'quantity_change' ? ` (${delta})` : ''}`
    }),
  )
  // The first text of a cell is the amount; one in another currency has its worth beside it.
  const colors = await table(page, 'Recent Events')
    .locator('tbody tr td:nth-child(5)')
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell.querySelector('span') ?? cell).color))
  for (const [at, { mrrChange }] of transactions.entries()) {
    if (mrrChange === 0) continue
    expect(isGreen(colors[at] ?? ''), `${changes[at]} in ${colors[at]}`).toBe(mrrChange > 0)
  }

  const at = transactions.findIndex(({ hubspotCompanyLink }) => hubspotCompanyLink !== null)
  const row = table(page, 'Recent Events').locator('tbody tr').nth(at)
  const link = row.getByRole('link').nth(1)
  expect(await link.getAttribute('href')).toBe(transactions[at]?.hubspotCompanyLink)
  expect(await link.getAttribute('target')).toBe('_blank')
  await row.locator('td').last().click()
  await page.waitForURL(`**/subscriptions/${transactions[at]?.relatedSubscriptionId}?event=*`)
  await page.goBack()
  await page.getByRole('link', { name: 'View All Recent Events' }).click()
  await page.waitForURL('**/events')
})

it('lists renewals with the days that are left, and leads to the subscription and to all of them', async () => {
  await page.goto('/')
  expect(await columnsOf(page, 'Upcoming Renewals')).toEqual([
    'Renewal Date',
    'Company',
    'Product',
    'Status',
    'MRR',
  ])
  const today = Date.parse(new Date().toISOString().slice(0, 10))
  for (const [shown = ''] of await rowsOf(page, 'Upcoming Renewals')) {
    const days = Math.round((Date.parse(shown.slice(0, 10)) - today) / 86_400_000)
    const left = days > 0 ? ` (in ${days} ${days === 1 ? 'day' : 'days'})` : ''
    expect(shown).toBe(`${shown.slice(0, 10)}${left}`)
  }
  const companies = await columnOf(page, 'Upcoming Renewals', 'Company')
  await table(page, 'Upcoming Renewals').locator('tbody tr').first().locator('td').last().click()
  await page.waitForURL(/\/subscriptions\/sub_/)
  await page.goBack()
  await page.getByRole('link', { name: 'View All Upcoming Renewals' }).click()
  await page.waitForURL(/\/subscriptions\?renewsWithinDays=90&sort=nextRenewalDate&order=asc$/)
  await expect
    .poll(() => columnOf(page, 'Subscriptions', 'Company'))
    .toEqual(expect.arrayContaining(companies))
})

it('has words for what is not known of an event or a renewal', async () => {
  const nameless = await namelessOwner(look)
  // The server always names the change of an event; this one simulates an event without it.
  const mend = await alterAnswers<{ transactions: Event[] }>(
    nameless,
    '**/api/dashboard/recent-transactions',
    ({ transactions }) => ({ transactions: transactions.map((event) => ({ ...event, changeType: null })) }),
  )
  await nameless.goto('/')
  expect(await columnOf(nameless, 'Recent Events', 'Company')).toContain('Unknown Company')
  expect(new Set(await columnOf(nameless, 'Recent Events', 'Change Type'))).toEqual(new Set(['-']))
  expect(await columnOf(nameless, 'Upcoming Renewals', 'Company')).toContain('Unknown Company')
  expect(new Set(await columnOf(nameless, 'Upcoming Renewals', 'Product'))).toEqual(new Set(['-']))
  await mend()
})

it('says what is empty and what to do next before anything is imported', async () => {
  const { page: fresh } = await look.newPerson()
  const person = { name: 'Dana Board', email: 'dana@board.example', password: 'a-long-enough-passphrase' }
  await becomeOwner(fresh, person, 'Board')
  await fresh.goto('/')
  await expectTexts(fresh, 'No recent events found.', 'No upcoming renewals found.')
  const figure = fresh.getByRole('region', { name: 'Current MRR', exact: true })
  await expectTexts(figure, '$0.00', 'As of today')
  const setup = fresh.getByRole('region', { name: 'Setup', exact: true })
  await setup.getByRole('link', { name: 'Continue setup' }).click()
  await fresh.waitForURL('**/setup/hubspot')
})

it('says what could not be fetched', async () => {
  const mend = await cutOff(page, '*/api/dashboard/*')
  await page.goto('/')
  await expectTexts(
    page,
    'An error occurred while fetching events.',
    'An error occurred while fetching renewals.',
  )
  await expectTexts(card('Current MRR'), 'N/A')
  await mend()
})
