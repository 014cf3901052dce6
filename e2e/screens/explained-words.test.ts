import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { standard, violationsOf } from '../axe.ts'
import { untilComplete } from '../every-screen.ts'
import { button, openLook, type ScreenWorld, table } from './look.ts'

let look: ScreenWorld
let page: Page
beforeAll(async () => {
  look = await openLook()
  ;({ page } = await look.demoOwner())
})
afterAll(() => look?.close())

it('explains a word to pointer, keyboard and finger, until Escape, and leads to its rules', async () => {
  await page.goto('/mrr-analytics')
  const heads = table(page, 'MRR movements')
  const word = button(heads, 'Reactivation')
  const meaning = page.getByText('MRR of a customer who paid before')
  const rules = page.getByRole('link', { name: 'Terms and rules', exact: true })
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
  await expect.poll(() => page.locator('#R22').evaluate(isInView)).toBe(true)
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
