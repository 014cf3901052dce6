import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../person.ts'
import { openLook, rowsOf, type ScreenWorld, table } from './look.ts'

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
