import { afterAll, beforeAll, expect, it } from 'vitest'
import { openLook, type ScreenWorld, table } from './look.ts'

let look: ScreenWorld
beforeAll(async () => {
  look = await openLook()
})
afterAll(() => look?.close())

it('begins at the top of a page that is opened by its address, wherever it was left; a reload and Back stay', async () => {
  const { page } = await look.demoOwner()
  const top = () => page.evaluate(() => scrollY)
  const terms = page.getByRole('heading', { level: 2 }).first()
  await page.goto('/terms')
  await terms.waitFor()
  await page.evaluate(() => scrollTo(0, 400))
  await expect.poll(top).toBe(400)
  await page.reload()
  await terms.waitFor()
  await expect.poll(top).toBe(400)
  await page.goto('/mrr-analytics')
  await table(page, 'MRR movements').waitFor()
  expect(await top()).toBe(0)
  await page.goto('/terms')
  await terms.waitFor()
  expect(await top()).toBe(0)
  for (const _ of ['to the charts', 'to the terms']) await page.goBack()
  await terms.waitFor()
  await expect.poll(top).toBe(400)
})

