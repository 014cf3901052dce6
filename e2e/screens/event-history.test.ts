import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
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

it('leads from a row of Events to that event, in sight, and Back to the row', async () => {
  await page.setViewportSize({ width: 1280, height: 700 })
  const { transactions } = await ask<{ transactions: Event[] }>(page, '/api/stripe/transactions?limit=100')
  const oldest = transactions.findLast(({ relatedSubscriptionId }, at) =>
    transactions.slice(0, at).some((newer) => newer.relatedSubscriptionId === relatedSubscriptionId),
  )
  const address = `/subscriptions/${oldest?.relatedSubscriptionId}?${new URLSearchParams({ event: oldest?.transactionId ?? '' })}`
  await page.goto('/events?perPage=100')
  const row = page.locator(`a[href="${address}"]:not([tabindex="-1"])`)
  await row.focus()
  await page.keyboard.press('Enter')
  await expectTitle(page, 'Subscription Details')
  const marked = page.locator('[aria-current="true"]').and(page.locator('tr'))
  await marked.waitFor()
  await marked.getByRole('button', { name: /^Show how the MRR/ }).waitFor()
  const middle = () =>
    marked.evaluate((found) => {
      const { top, bottom } = found.getBoundingClientRect()
      return (top + bottom) / 2 / window.innerHeight
    })
  await expect.poll(middle).toBeLessThan(0.8)
  expect(await middle()).toBeGreaterThan(0.15)
  await page.goBack()
  await expect.poll(() => row.evaluate((link) => link === document.activeElement)).toBe(true)
})
