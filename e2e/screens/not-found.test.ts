import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectTexts, openLook, type ScreenWorld } from './look.ts'

let look: ScreenWorld
beforeAll(async () => {
  look = await openLook()
})
afterAll(() => look?.close())

it.each(['signed in', 'signed out'])('says that there is no such page: %s', async (who) => {
  const { page } = await (who === 'signed in' ? look.demoOwner() : look.newPerson())
  for (const path of ['/nothing-here', '/subscriptions/a/b', '/setup/hubspot/more']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: 'Page Not Found' }).waitFor()
  }
  if (who === 'signed in') {
    // The frame stays, and one button leads to the list above the address.
    await page.getByRole('navigation').getByRole('link', { name: 'Events', exact: true }).waitFor()
    await expectTexts(page, /^No screen is called \/setup\/hubspot\/more\./)
    await page.goto('/subscriptions/a/b')
    await page.getByRole('link', { name: 'Open Subscriptions' }).waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
    await page.getByRole('combobox', { name: /search/i }).waitFor()
    await page.keyboard.press('Escape')
  }
  expect(await page.title()).toBe('Page Not Found · Tributary')
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await expectTexts(page, who === 'signed in' ? 'Current MRR' : 'Sign in to Tributary')
})
