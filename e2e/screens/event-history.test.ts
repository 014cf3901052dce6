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
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`/subscriptions/${transactions[0]?.relatedSubscriptionId}`)
  await rowsOf(page, 'Event History')
  const cut = await table(page, 'Event History').evaluate((found) => {
    const box = found.parentElement?.parentElement
    return box == null ? null : found.clientWidth - box.clientWidth
  })
  expect(cut).toBeLessThanOrEqual(0)
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

async function expectInSight(): Promise<void> {
  const marked = page.locator('tr[aria-current="true"]')
  await marked.getByRole('button', { name: /^Show how the MRR/ }).waitFor()
  const middle = () =>
    marked.evaluate((found) => {
      const { top, bottom } = found.getBoundingClientRect()
      return (top + bottom) / 2 / window.innerHeight
    })
  await expect.poll(middle).toBeLessThan(0.8)
  expect(await middle()).toBeGreaterThan(0.15)
}

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
