import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { standard, violationsOf } from '../axe.ts'
import { untilComplete } from '../every-screen.ts'
import { alterAnswers, cutOff } from '../faults.ts'
import { ask } from '../person.ts'
import { becomeOwner } from '../prepare.ts'
import {
  button,
  countRequests,
  expectTexts,
  expectTitle,
  openLook,
  type ScreenWorld,
  slowNetwork,
  table,
} from './look.ts'

let look: ScreenWorld
let page: Page
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.demoOwner())
})
afterAll(() => look?.close())

type Snapshots = { snapshots: { month: string; mrr: number; activeSubscriptions: number }[] }
const dollars = (cents: number) =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
const monthName = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
const card = (name: string, place = page) => place.getByRole('region', { name, exact: true })

it('shows the figures of today', async () => {
  const stats = await ask<{ currentMrr: number; activeSubscriptions: number }>(page, '/api/dashboard/stats')
  await page.goto('/mrr-analytics')
  await expectTitle(page, 'MRR Analytics')
  await expectTexts(page, 'Monthly Recurring Revenue analysis and trending')
  await expectTexts(
    card('Current MRR'),
    dollars(stats.currentMrr),
    'As of today',
    'Real-time calculation from active subscriptions',
  )
  await expectTexts(
    card('Active Subscriptions'),
    String(stats.activeSubscriptions),
    "Subscriptions with 'active' status contributing to MRR",
  )
})

it('draws the snapshots and the trend, 300 px high, and tells of a month under the pointer', async () => {
  const { snapshots } = await ask<Snapshots>(page, '/api/mrr/snapshots')
  const sorted = snapshots.toSorted((a, b) => (a.month < b.month ? -1 : 1))
  const last = sorted.at(-1)
  const history = card('Monthly MRR Snapshots')
  await expectTexts(history, 'Historical', /^Latest Snapshot:/, dollars(last?.mrr ?? 0))
  await expectTexts(card('MRR Trend'), 'Real-time', /^Current MRR:/)
  for (const chart of [history, card('MRR Trend')]) {
    const drawing = chart.locator('.recharts-wrapper')
    await chart.locator('.recharts-line-curve').waitFor()
    expect((await drawing.boundingBox())?.height).toBe(300)
  }
  const drawing = history.locator('.recharts-surface').first()
  const box = await drawing.boundingBox()
  await drawing.hover({ position: { x: (box?.width ?? 0) - 20, y: 150 } })
  const tooltip = history.locator('.recharts-tooltip-wrapper')
  await expectTexts(tooltip, /^[A-Z][a-z]{2} \d{4}$/)
  const month = await tooltip.locator('p').first().textContent()
  const pointed = sorted.find((one) => monthName(one.month) === month)
  await expectTexts(
    tooltip,
    `MRR: ${dollars(pointed?.mrr ?? 0)}`,
    `Active subscriptions: ${pointed?.activeSubscriptions}`,
  )
  // Arrow keys go through the points, and a screen reader hears each.
  await page.mouse.move(0, 0, { steps: 5 })
  await drawing.focus()
  await page.keyboard.press('ArrowRight')
  await expectTexts(history.getByRole('status'), /^MRR: \$/)
})

it('tells of each of two points of one month its own figure', async () => {
  type Trend = { mrrTrend: { date: string; mrr: number }[] }
  const { mrrTrend } = await ask<Trend>(page, '/api/dashboard/mrr-trend')
  const [first, second] = mrrTrend.slice(-2)
  if (first === undefined || second === undefined) throw new Error('The trend has no two points.')
  // On the 1st of a month the last two points fall into different months, which this test does not cover.
  await alterAnswers<Trend>(page, '**/api/dashboard/mrr-trend', (trend) => ({
    ...trend,
    mrrTrend: [
      ...trend.mrrTrend.slice(0, -2),
      { date: `${second.date.slice(0, 7)}-01`, mrr: 1_111_100 },
      { date: `${second.date.slice(0, 7)}-02`, mrr: 2_222_200 },
    ],
  }))
  await page.goto('/mrr-analytics')
  const dots = card('MRR Trend').locator('.recharts-line-dot')
  await expect.poll(() => dots.count()).toBe(mrrTrend.length)
  const tooltip = card('MRR Trend').locator('.recharts-tooltip-wrapper')
  for (const [place, text] of [
    [-2, 'MRR: $11,111.00'],
    [-1, 'MRR: $22,222.00'],
  ] as const) {
    await dots.nth(mrrTrend.length + place).hover({ force: true })
    await expectTexts(tooltip, text)
  }
  await page.unroute('**/api/dashboard/mrr-trend')
})

it('shows skeletons while it loads, as high as what takes their place', async () => {
  await page.goto('/')
  await page.getByText('Current MRR').waitFor()
  const link = page.getByRole('link', { name: 'MRR Analytics' })
  // The screen's code loads separately; only its figures are delayed.
  await link.click()
  await card('MRR Trend').waitFor()
  const atOnce = await slowNetwork(page, 1_500)
  await page.reload()
  for (const name of ['Current MRR', 'Active Subscriptions', 'Monthly MRR Snapshots', 'MRR Trend'])
    await card(name).locator('.mantine-Skeleton-root').first().waitFor()
  const skeleton = card('Monthly MRR Snapshots').locator('.mantine-Skeleton-root')
  expect((await skeleton.boundingBox())?.height).toBe(300)
  await card('Monthly MRR Snapshots').locator('.recharts-line-curve').waitFor()
  expect(await skeleton.count()).toBe(0)
  await atOnce()
})

it('asks for all three again on Refresh Data', async () => {
  const counts = ['/api/mrr/snapshots', '/api/dashboard/mrr-trend', '/api/dashboard/stats'].map((path) =>
    countRequests(page, path),
  )
  await button(page, 'Refresh Data').click()
  await expect.poll(() => counts.map((count) => count())).toEqual([1, 1, 1])
})

it('says what will fill the charts, and what could not be loaded', async () => {
  const { page: fresh } = await look.newPerson()
  const person = { name: 'Ana', email: 'ana@analytics.example', password: 'a-long-enough-passphrase' }
  await becomeOwner(fresh, person, 'Analytics')
  await fresh.goto('/mrr-analytics')
  await expectTexts(
    card('Monthly MRR Snapshots', fresh),
    'No snapshot data available',
    'Snapshots will be generated automatically on the 1st of each month',
  )
  await expectTexts(card('MRR Trend', fresh), 'Import subscription data to see MRR trends')
  const mend = await cutOff(fresh, '*/api/mrr/snapshots', '*/api/dashboard/*')
  await fresh.reload()
  await expectTexts(card('Monthly MRR Snapshots', fresh), 'The chart could not be loaded')
  await expectTexts(card('Current MRR', fresh), 'N/A')
  await mend()
})

type Movements = {
  periods: {
    name: string
    net: number
    end: number
    isRunning: boolean
    moves: { movement: string; change: number }[]
  }[]
}

it('shows what moved MRR month by month, marks the running one, and leads each figure to its events', async () => {
  const { periods } = await ask<Movements>(page, '/api/mrr/movements')
  await page.goto('/mrr-analytics')
  const movements = card('MRR Movements')
  const rows = movements.getByRole('table', { name: 'MRR movements' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(periods.length)
  const running = periods.at(-1)
  const month = new RegExp(`^${monthName(running?.name ?? '')}`)
  await expectTexts(rows.first(), month, 'so far', dollars(running?.end ?? 0))
  const last = periods.findLast(({ moves }) =>
    moves.some(({ movement, change }) => movement === 'New' && change > 0),
  )
  const link = page.getByTitle(`Events: New in ${monthName(last?.name ?? '')}`)
  expect(await link.getAttribute('href')).toMatch(
    new RegExp(`^/events\\?mrrStatus=New&from=${last?.name}-01&to=${last?.name}-`),
  )
  await button(page, 'Quarters').click()
  await expect.poll(() => rows.count()).toBeLessThan(periods.length)
  await expect.poll(() => page.url()).toContain('interval=quarter')
})

it('says of the first month of some days from when on it counts', async () => {
  await page.goto('/mrr-analytics?from=2026-01-20&to=2026-03-09')
  const movements = card('MRR Movements')
  const rows = movements.getByRole('table', { name: 'MRR movements' }).locator('tbody tr')
  await expect
    .poll(() => rows.locator('th').allTextContents())
    .toEqual(['Mar 2026 until Mar 9', 'Feb 2026 ', 'Jan 2026 from Jan 20'])
  const chart = movements.getByRole('application', {
    name: 'Chart of MRR movements, Jan 2026 (from Jan 20) to Mar 2026 (until Mar 9)',
  })
  await expectTexts(chart.locator('..'), 'from Jan 20', 'Feb 2026', 'until Mar 9')
  const told = movements.getByRole('status')
  await chart.hover({ position: { x: 5, y: 5 } })
  await expectTexts(told, 'Jan 2026 (from Jan 20)', /^Net: [+-]?\$/)
  await page.mouse.move(0, 0)
  await told.waitFor({ state: 'hidden' })
  await chart.focus()
  await page.keyboard.press('End')
  await expectTexts(told, 'Mar 2026 (until Mar 9)')
  await page.keyboard.press('ArrowLeft')
  await expectTexts(told, 'Feb 2026')
  await page.keyboard.press('Escape')
  await told.waitFor({ state: 'hidden' })
})

it('shows retention with its formula, and segments and cohorts of the chosen days', async () => {
  await page.goto('/mrr-analytics?range=12m&compare=before')
  await expectTexts(card('Retention'), /NRR = \(start \+ expansion \+ contraction\) \/ start/, /^GRR \d/)
  await expectTexts(card('MRR Movements'), 'All of these', 'Period before')
  await card('Segments').getByLabel('Segments by').selectOption('size')
  await expectTexts(card('Segments'), 'Under $50.00', 'All segments', '100.0%')
  await expectTexts(card('Cohorts'), /Customers who first paid before .* are not among them/, '100%')
  await button(page, 'MRR').click()
  await expectTexts(card('Cohorts'), /^\$[\d,]+\.\d\d$/)
})

it('explains a word to pointer, keyboard and finger, until Escape, and leads to its rules', async () => {
  await page.goto('/mrr-analytics')
  const heads = table(page, 'MRR movements')
  const word = button(heads, 'Reactivation')
  const meaning = page.getByText('MRR of a customer who paid before')
  const rules = page.getByRole('link', { name: 'Terms and rules' })
  const isFocused = (target: Locator) =>
    expect.poll(() => target.evaluate((element) => element === document.activeElement)).toBe(true)
  await word.focus()
  await meaning.waitFor()
  await word.hover()
  await button(heads, 'Upgrade').hover()
  const other = page.getByText('MRR that a paying subscript')
  await other.waitFor()
  await page.mouse.move(0, 0, { steps: 5 })
  await other.waitFor({ state: 'hidden' })
  const told = await word.getAttribute('aria-description')
  await expect.poll(() => meaning.textContent()).toBe(told)
  const parts = '[aria-label="MRR Movements"], .mantine-HoverCard-dropdown'
  expect(await violationsOf(page, standard, parts)).toEqual([])
  await page.keyboard.press('Tab')
  await isFocused(rules)
  await page.keyboard.press('Shift+Tab')
  await isFocused(word)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await isFocused(button(heads, 'Upgrade'))
  await meaning.waitFor({ state: 'hidden' })
  await page.keyboard.press('Shift+Tab')
  await meaning.waitFor()
  await page.keyboard.press('Tab')
  await isFocused(rules)
  await page.keyboard.press('Escape')
  await meaning.waitFor({ state: 'hidden' })
  await isFocused(word)

  await word.hover()
  await meaning.hover()
  await page.keyboard.press('Escape')
  await meaning.waitFor({ state: 'hidden' })
  await page.keyboard.press('Enter')
  await meaning.waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/terms#reactivation')
  await page.getByRole('link', { name: 'Customer returned' }).click()
  await page.waitForURL('**/terms#R22')
  const isInView = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top > 56 && bottom < innerHeight
  }
  await expect.poll(() => page.getByRole('row', { name: /^Customer returned/ }).evaluate(isInView)).toBe(true)
})

it('explains a word at a touch, until a touch elsewhere', async () => {
  await page.goto('/mrr-analytics')
  // A card that fills above the word would move it away from the finger.
  await untilComplete(page)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  const touch = async (place: Locator) => {
    await place.click({ trial: true })
    const box = await place.boundingBox()
    const touchPoints = [{ x: (box?.x ?? 0) + 4, y: (box?.y ?? 0) + 4 }]
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  const meaning = page.getByText('Gross revenue retention')
  await touch(button(page, 'GRR'))
  await meaning.waitFor()
  await touch(page.getByText('Monthly Recurring Revenue analysis and trending'))
  await meaning.waitFor({ state: 'hidden' })
  await devtools.detach()
})
