import { afterAll, beforeAll, expect, it } from 'vitest'
import { button, expectTitle, openLook, type ScreenWorld, table } from './look.ts'

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

it('returns the focus to the row that led away, by Back and by the link back', async () => {
  const { page } = await look.demoOwner()
  await page.goto('/customers?perPage=50')
  const row = table(page, 'Customers').locator('tbody tr').nth(40)
  const link = row.getByRole('link', { name: /^Open / }).first()
  const hasFocus = () => link.evaluate((found) => found === document.activeElement)
  for (const goBack of [
    () => page.goBack(),
    () => page.getByRole('link', { name: 'Back to Customers' }).click(),
  ]) {
    await link.focus()
    await page.keyboard.press('Enter')
    await expectTitle(page, 'Customer')
    await page.getByRole('link', { name: 'Back to Customers' }).waitFor()
    await goBack()
    await expect.poll(hasFocus).toBe(true)
    const { y = 0 } = (await link.boundingBox()) ?? {}
    expect(y > 90 && y < (page.viewportSize()?.height ?? 0)).toBe(true)
  }
})

it('keeps nothing open over the screen that comes next', async () => {
  const { page } = await look.demoOwner()
  await page.goto('/events')
  await page.getByRole('link', { name: 'Customers' }).click()
  await expectTitle(page, 'Customers')
  await page.keyboard.press('Control+k')
  const menu = page.getByRole('dialog', { name: 'Search and commands' })
  await menu.waitFor()
  await page.goBack()
  await expectTitle(page, 'Events')
  await menu.waitFor({ state: 'hidden' })
  await page.setViewportSize({ width: 390, height: 800 })
  await button(page, 'Open navigation').click()
  const drawer = page.getByRole('dialog', { name: 'Tributary' })
  await drawer.waitFor()
  await page.goForward()
  await expectTitle(page, 'Customers')
  await drawer.waitFor({ state: 'hidden' })
})

it('lets Control and K through an open menu, which closes and has the focus on its button afterwards', async () => {
  const { page } = await look.demoOwner()
  const commands = page.getByRole('dialog', { name: 'Search and commands' })
  for (const [path, opener, role] of [
    ['/subscriptions', 'Columns', 'dialog'],
    ['/data-sync', 'More actions for HubSpot', 'menu'],
  ] as const) {
    await page.goto(path)
    await button(page, opener).click()
    const panel = page.getByRole(role).first()
    await panel.waitFor()
    await page.keyboard.press('Control+k')
    await commands.waitFor()
    await expect.poll(() => page.locator(`[aria-expanded="true"][aria-haspopup="${role}"]`).count()).toBe(0)
    await page.keyboard.press('Escape')
    await commands.waitFor({ state: 'hidden' })
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-expanded')))
      .toBe('false')
  }
})

it('folds the account block by Escape, a click elsewhere, the command menu and another screen', async () => {
  const { page } = await look.demoOwner()
  await page.goto('/events')
  const block = button(page, /^Account of/)
  const isOpen = () => block.getAttribute('aria-expanded')
  const line = page.getByRole('link', { name: /^Sync(ed | in progress)/ })
  const ways: (() => Promise<unknown>)[] = [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('heading', { level: 1 }).click(),
    () => page.keyboard.press('Control+k'),
    // The menu stands below the line until the click has ended, so that the click reaches the line.
    () => line.click({ delay: 300 }),
  ]
  for (const leave of ways) {
    await block.click()
    await expect.poll(isOpen).toBe('true')
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).waitFor()
    await leave()
    await expect.poll(isOpen).toBe('false')
    await page.keyboard.press('Escape')
  }
  await expectTitle(page, 'Sync History')
})
