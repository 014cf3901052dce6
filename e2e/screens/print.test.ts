import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../person.ts'
import { expectTexts, expectTitle, openLook, type ScreenWorld, table, widthOf } from './look.ts'

let look: ScreenWorld
beforeAll(async () => {
  look = await openLook()
})
afterAll(() => look?.close())

const pagesOf = (paper: Buffer) => String(paper).match(/MediaBox/g)?.length

/** A tagged document names each row of its tables once, a row that no page has room for never. */
const rowsOn = (paper: Buffer) => String(paper).match(/\/S \/TR\b/g)?.length

/** A real print lays the page out again, and tells no script of the sizes on paper. */
function deafOnPaper(): void {
  window.ResizeObserver = class extends window.ResizeObserver {
    constructor(tell: ResizeObserverCallback) {
      super((...told) => {
        if (!window.matchMedia('print').matches) tell(...told)
      })
    }
  }
}

it('prints the title and the whole table within the paper, and nothing to press', async () => {
  const { page } = await look.demoOwner()
  await page.setViewportSize({ width: 720, height: 1000 })
  await page.goto('/subscriptions?columns=all')
  await table(page, 'Subscriptions').locator('tbody tr').first().waitFor()
  await page.emulateMedia({ media: 'print' })
  await expectTitle(page, 'Subscriptions')
  await expect
    .poll(() => page.locator('nav, aside, main .mantine-Button-root').filter({ visible: true }).count())
    .toBe(0)
  await expectTexts(page, /^Harbour Demo, [A-Z][a-z]{2} \d{1,2}, \d{4}$/, /^Page 1 of \d+$/)
  expect(await page.locator('main :is(select, input)').filter({ visible: true }).count()).toBe(0)
  const right = () => table(page, 'Subscriptions').evaluate((found) => found.getBoundingClientRect().right)
  await expect.poll(right).toBeLessThanOrEqual(720)
})

it('prints no name of what paper does not have', async () => {
  const { page } = await look.demoOwner()
  const { transactions } = await ask<{ transactions: { relatedSubscriptionId: string }[] }>(
    page,
    '/api/dashboard/recent-transactions',
  )
  await page.setViewportSize({ width: 720, height: 1000 })
  await page.goto(`/subscriptions/${transactions[0]?.relatedSubscriptionId}`)
  const names = page.getByText('Calculation:').filter({ visible: true })
  await expect.poll(() => names.count()).toBeGreaterThan(0)
  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => names.count()).toBe(0)
})

it('prints the charts and tables of MRR Analytics whole, and in the light scheme from the dark one', async () => {
  const { page } = await look.demoOwner()
  await page.addInitScript(deafOnPaper)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/mrr-analytics')
  for (const label of ['Movements', 'Segments', 'Cohorts'])
    await page.getByRole('table', { name: label }).locator('tbody tr').first().waitFor()
  const chart = page.locator('.recharts-surface').first()
  expect(await widthOf(chart)).toBeGreaterThan(720)
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
  expect(await scheme()).toBe('dark')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.setViewportSize({ width: 720, height: 1000 })
  await expect.poll(() => page.getByRole('table', { name: 'Cohorts' }).count()).toBe(2)
  expect(await scheme()).toBe('light')
  const all = await ask<{ totalCount: number }>(page, '/api/mrr/segments')
  expect(all.totalCount).toBeGreaterThan(10)
  const segments = page.getByRole('table', { name: 'Segments' }).locator('tbody tr')
  await expect.poll(() => segments.count()).toBe(all.totalCount)
  const cells = await page.locator('main :is(th, td)').evaluateAll((found) =>
    found.map((cell) => ({
      text: cell.textContent,
      right: cell.getBoundingClientRect().right,
      isCut: [cell, ...cell.querySelectorAll('*')].some(
        (part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 2,
      ),
      height: cell.getBoundingClientRect().height,
      isShaded: getComputedStyle(cell).backgroundColor !== 'rgba(0, 0, 0, 0)',
      // The share of too few cohorts has no color.
      isOfFew: [...cell.querySelectorAll('[title]')].some((part) =>
        /, [12] cohorts?$/.test(part.getAttribute('title') ?? ''),
      ),
    })),
  )
  expect(cells.length).toBeGreaterThan(50)
  expect(cells.filter(({ right }) => right > 720)).toEqual([])
  expect(await chart.evaluate((drawn) => drawn.getBoundingClientRect().right)).toBeLessThanOrEqual(720)
  // A share is in one line, on the color that makes a heat map of the table.
  const shares = cells.filter(({ text, isShaded }) => isShaded || /^\d+%$/.test(text ?? ''))
  expect(shares.length).toBeGreaterThan(50)
  expect(shares.filter((one) => one.isShaded === one.isOfFew || one.height > 25)).toEqual([])
  expect(cells.filter(({ isCut }) => isCut)).toEqual([])
  // The sum stands once, and the heads on each page: a browser repeats no buttons.
  const shownAs = (part: string) =>
    page.locator(part).evaluateAll((found) => [...new Set(found.map((one) => getComputedStyle(one).display))])
  expect(await shownAs('tfoot')).toEqual(['table-row-group'])
  expect(await shownAs('thead button')).toEqual(['contents'])
  const ends = await page
    .getByRole('table', { name: 'Cohorts' })
    .evaluateAll((found) =>
      found.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]),
    )
  expect(ends[1]?.[0]).toBeGreaterThanOrEqual(ends[0]?.[1] ?? Number.POSITIVE_INFINITY)
  // Across the paper, and no page of another format before it.
  const paper = String(await page.pdf({ preferCSSPageSize: true }))
  expect(new Set(paper.match(/MediaBox \[[^\]]*\]/g)?.map((box) => /\[0 0 84\d\S* 59/.test(box)))).toEqual(
    new Set([true]),
  )
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await expect.poll(scheme).toBe('dark')
})

it('prints each row of each table from the screen', async () => {
  const { page } = await look.demoOwner()
  await page.goto('/mrr-analytics')
  for (const label of ['MRR movements', 'Segments', 'Cohorts'])
    await table(page, label).locator('tbody tr').first().waitFor()
  const paper = await page.pdf({ format: 'A4', preferCSSPageSize: true, tagged: true })
  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => table(page, 'Cohorts').count()).toBe(2)
  expect(rowsOn(paper)).toBe(await page.locator('main tr').count())
})

it('prints a short list on one page', async () => {
  const { page } = await look.demoOwner()
  for (const [path, label] of [
    ['/subscriptions', 'Subscriptions'],
    ['/sync-history', 'Sync History'],
  ] as const) {
    await page.goto(path)
    await table(page, label).locator('tbody tr').first().waitFor()
    const margin = { top: '1cm', right: '1cm', bottom: '1cm', left: '1cm' }
    for (const options of [{}, { margin }])
      expect(pagesOf(await page.pdf({ format: 'A4', preferCSSPageSize: true, ...options }))).toBe(1)
  }
})

/** How often each named part of the screen says on paper that it still loads. */
const stillLoading = (page: Page) =>
  page.locator('main section[aria-label], main:not(:has(section[aria-label]))').evaluateAll((parts) =>
    parts.map((part) => {
      const says = [part, ...part.querySelectorAll('*')].filter(
        (each) =>
          getComputedStyle(each, '::before').content === '"Still loading"' &&
          each.getBoundingClientRect().height >= 12,
      )
      return `${part.getAttribute('aria-label') ?? 'list'}: ${says.length}`
    }),
  )

it('prints where figures, charts and rows still load that they do, once in each place', async () => {
  const { page } = await look.demoOwner()
  // Nothing answers these calls, nor lets them through.
  const calls = /\/api\/(dashboard|mrr|stripe\/(subscriptions|transactions))/
  await page.route(calls, () => {})
  await page.goto('/mrr-analytics')
  await page.locator('main .mantine-Skeleton-root').nth(4).waitFor()
  await page.emulateMedia({ media: 'print' })
  const ofAnalytics = ['Current MRR', 'Active Subscriptions', 'MRR Movements', 'Segments', 'Cohorts']
  await expect
    .poll(() => stillLoading(page))
    .toEqual(expect.arrayContaining(ofAnalytics.map((name) => `${name}: 1`)))
  const shades = await page
    .locator('main .mantine-Skeleton-root')
    .evaluateAll((found) => found.map((each) => getComputedStyle(each, '::after').content))
  expect(new Set(shades)).toEqual(new Set(['none']))
  await page.goto('/dashboard')
  await expect
    .poll(() => stillLoading(page))
    .toEqual(expect.arrayContaining(['Net New MRR: 1', 'Churned MRR: 1', 'Movements: 1', 'Recent Events: 1']))
  expect(await page.getByText('so far').count()).toBe(0)
  await page.goto('/subscriptions')
  await page.getByLabel('Loading rows').waitFor()
  await expect.poll(() => stillLoading(page)).toEqual(['list: 1'])
  await page.unroute(calls)
  await page.goto('/mrr-analytics')
  await table(page, 'Segments').locator('tbody tr').first().waitFor()
  await expect
    .poll(async () => (await stillLoading(page)).filter((part) => !part.endsWith(': 0')))
    .toEqual([])
})
