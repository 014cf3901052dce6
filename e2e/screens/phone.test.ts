import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../person.ts'
import { columnsOf, openLook, type ScreenWorld } from './look.ts'

let look: ScreenWorld
let page: Page
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.demoOwner())
  await page.setViewportSize({ width: 360, height: 740 })
})
afterAll(() => look?.close())

it('keeps the links to its parts in reach on a phone, and shows first what moved MRR', async () => {
  await page.goto('/mrr-analytics')
  const links = page.getByRole('navigation', { name: 'On this page' })
  const part = page.getByRole('region', { name: 'Cohorts', exact: true })
  // Parts that load after a jump push its target away, so it is made again.
  await expect
    .poll(async () => {
      await links.getByRole('link', { name: 'Cohorts' }).click()
      const [line, box] = [await links.boundingBox(), await part.boundingBox()]
      if (line === null || box === null) return null
      return line.y >= 0 && line.height < 60 && box.y >= line.y + line.height && box.y < 300
    })
    .toBe(true)
  await links.getByRole('link', { name: 'MRR Movements' }).click()
  const heads = await columnsOf(page, 'MRR movements')
  expect([...heads.slice(0, 4), heads.at(-1)]).toEqual(['Period', 'End', 'Net', 'New', 'Start'])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

it('has what is matched in one line of the header, beside the whole title', async () => {
  const [event] = (
    await ask<{ transactions: { relatedSubscriptionId: string }[] }>(
      page,
      '/api/dashboard/recent-transactions',
    )
  ).transactions
  for (const path of ['/customers', `/subscriptions/${event?.relatedSubscriptionId}`]) {
    await page.goto(path)
    const meter = page.getByRole('link', { name: /matched$/ })
    await meter.waitFor()
    expect((await meter.boundingBox())?.height).toBeLessThan(30)
    const title = page.getByRole('heading', { level: 1 })
    expect(await title.evaluate((found) => found.scrollHeight - found.clientHeight)).toBe(0)
  }
})
