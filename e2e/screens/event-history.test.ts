import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { standard, violationsOf } from '../axe.ts'
import { ask } from '../person.ts'
import { expectTitle, openLook, rowsOf, type ScreenWorld, table } from './look.ts'

type Event = { transactionId: string; relatedSubscriptionId: string }

let look: ScreenWorld
let page: Page
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.demoOwner())
})
afterAll(() => look?.close())

it('shows all of an event at once: in columns at 1280 px, and as cards on a tablet', async () => {
  const { transactions } = await ask<{ transactions: { relatedSubscriptionId: string }[] }>(
    page,
    '/api/stripe/transactions?limit=1&mrrStatus=Planned_Cancellation',
  )
  for (const width of [1440, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/subscriptions/${transactions[0]?.relatedSubscriptionId}`)
    await rowsOf(page, 'Event History')
    const { cut, lines } = await table(page, 'Event History').evaluate((found) => ({
      cut: found.clientWidth - (found.parentElement?.parentElement?.clientWidth ?? 0),
      lines: Math.max(
        ...[...found.querySelectorAll('tbody td')].map((cell) => {
          const { lineHeight, paddingBlock } = getComputedStyle(cell)
          return (cell.clientHeight - 2 * Number.parseFloat(paddingBlock)) / Number.parseFloat(lineHeight)
        }),
      ),
    }))
    expect(cut).toBeLessThanOrEqual(0)
    expect(lines, `${width} px`).toBeLessThan(2.5)
  }
  await page.setViewportSize({ width: 820, height: 1_100 })
  const cards = page.getByRole('list', { name: 'Event History' }).getByRole('listitem')
  await cards
    .first()
    .getByRole('button', { name: /^Show how the MRR/ })
    .waitFor()
  await expect.poll(() => cards.last().textContent()).toMatch(/\+.*Quantity 0 → \d+.*View Invoice/)
})

/** The address of an event that has a newer one above it. */
async function anAddress(): Promise<string> {
  const { transactions } = await ask<{ transactions: Event[] }>(page, '/api/stripe/transactions?limit=100')
  const older = transactions.findLast(({ relatedSubscriptionId }, at) =>
    transactions.slice(0, at).some((newer) => newer.relatedSubscriptionId === relatedSubscriptionId),
  )
  if (older === undefined) throw new Error('no subscription has two events')
  const query = new URLSearchParams({ event: older.transactionId })
  return `/subscriptions/${older.relatedSubscriptionId}?${query}`
}

/** Waits until the whole marked row is in the window, below the header. Returns how far below it the window ends. */
async function expectInSight(): Promise<number> {
  const marked = page.locator('tr[aria-current="true"]')
  await marked.getByRole('button', { name: /^Show how the MRR/ }).waitFor()
  const places = () =>
    marked.evaluate((found) => {
      const { top, bottom } = found.getBoundingClientRect()
      const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
      return { above: top - header, below: window.innerHeight - bottom }
    })
  await expect.poll(async () => (await places()).below).toBeGreaterThanOrEqual(0)
  const { above, below } = await places()
  expect(above).toBeGreaterThanOrEqual(0)
  return below
}

it('scrolls to the event only where it is outside the window, and only as far as needed', async () => {
  const { transactions } = await ask<{ transactions: Event[] }>(page, '/api/stripe/transactions?limit=1')
  const [{ transactionId, relatedSubscriptionId }] = transactions as [Event]
  await page.setViewportSize({ width: 1440, height: 900 })
  // The first row of the history is in the lower third of the window.
  await page.goto(`/subscriptions/${relatedSubscriptionId}?${new URLSearchParams({ event: transactionId })}`)
  expect(await expectInSight()).toBeLessThan(300)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await page.setViewportSize({ width: 1440, height: 500 })
  await page.reload()
  await expectInSight()
  await expect.poll(() => expectInSight()).toBeLessThan(30)
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
})

it('keeps the event in sight while the page is scrolled by itself, until its reader moves', async () => {
  const toTop = () => page.evaluate(() => window.scrollTo(0, 0))
  await page.reload()
  await expectInSight()
  // The router does so on a slow machine, when it returns to where the page was left.
  await toTop()
  await expectInSight()
  await page.mouse.move(400, 300)
  await page.mouse.wheel(0, -600)
  await toTop()
  await page.waitForTimeout(300)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})

it('leads from a row of Events to that event, in sight, and Back to the row', async () => {
  await page.setViewportSize({ width: 1280, height: 700 })
  const address = await anAddress()
  await page.goto('/events?perPage=100')
  const row = page.locator(`a[href="${address}"]:not([tabindex="-1"])`)
  await row.focus()
  await page.keyboard.press('Enter')
  await expectTitle(page, 'Subscription Details')
  await expectInSight()
  await page.goBack()
  await expect.poll(() => row.evaluate((link) => link === document.activeElement)).toBe(true)
})

it('opens at an address that was sent, and its calculation where that was open', async () => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.setViewportSize({ width: 1280, height: 700 })
  const address = await anAddress()
  await page.goto(address)
  await expectInSight()
  await page.goto(`${address}&calculation=open`)
  const dialog = page.getByRole('dialog', { name: 'How this was calculated' })
  await dialog.getByRole('table', { name: 'Calculation' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(page.url().endsWith(address)).toBe(true)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

it('says what changed since the event before, also on a phone', async () => {
  const { transactions } = await ask<{ transactions: Event[] }>(
    page,
    '/api/stripe/transactions?limit=1&mrrStatus=Downgrade',
  )
  const [{ transactionId, relatedSubscriptionId }] = transactions as [Event]
  const query = new URLSearchParams({ event: transactionId, calculation: 'open' })
  await page.setViewportSize({ width: 360, height: 760 })
  await page.goto(`/subscriptions/${relatedSubscriptionId}?${query}`)
  const compared = table(page, 'Before and after')
  await compared.getByRole('rowheader', { name: 'MRR Changed' }).waitFor()
  const isCut = await compared.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  expect(isCut).toBe(false)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await violationsOf(page, standard), colorScheme).toEqual([])
  }
})
