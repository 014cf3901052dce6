import { afterAll, beforeAll, expect, it } from 'vitest'
import { goOffline } from '../faults.ts'
import { button, expectTexts, openLook, type ScreenWorld } from './look.ts'

let look: ScreenWorld
beforeAll(async () => {
  look = await openLook()
})
afterAll(() => look?.close())

it('is open to the signed out, asks for number 16 unless told, and says what failed', async () => {
  const { page } = await look.newPerson()
  await page.goto('/test-data')
  await page.getByRole('heading', { name: 'Test Subscription Data' }).waitFor()
  const number = page.getByLabel('Number')
  await expect.poll(() => number.inputValue()).toBe('16')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await button(page, 'Fetch Data').click()
  await expectTexts(page, /^Subscriptions: \d+, Events: \d+$/)
  expect(asked).toContain('/api/test-subscription-data/16')
  await page.setViewportSize({ width: 360, height: 740 })
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  await expect.poll(width, { message: 'sideways on a phone' }).toBe(360)
  await number.fill('-5')
  await number.press('Enter')
  await expectTexts(page, 'Enter a whole number from 0 to 999,999,999.')
  await goOffline(page)
  await number.fill('17')
  await button(page, 'Fetch Data').click()
  await expectTexts(
    page.getByRole('alert'),
    'Failed to fetch data: The server could not be reached. Check your connection.',
  )
})
