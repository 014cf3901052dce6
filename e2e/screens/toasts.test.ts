import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLook, type ScreenWorld } from './look.ts'

let look: ScreenWorld
beforeAll(async () => {
  look = await openLook()
})
afterAll(() => look?.close())

describe('a toast', () => {
  /** Opens a screen whose switch shows the toast 'Settings updated'. */
  async function withToast() {
    const { page } = await look.demoOwner()
    await page.clock.install()
    await page.goto('/data-sync')
    const toggle = page.getByRole('switch', { name: 'Auto-Create Contacts' })
    await expect.poll(() => toggle.isEnabled()).toBe(true)
    const show = async () => {
      await toggle.click()
      await page.getByText('Settings updated').first().waitFor()
      await expect.poll(() => toggle.isEnabled()).toBe(true)
    }
    const toasts = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
    await show()
    await toasts.first().waitFor()
    return { page, show, toasts }
  }

  it('is the only one, and goes after five seconds', async () => {
    const { page, show, toasts } = await withToast()
    await show()
    await expect.poll(() => toasts.count()).toBe(1)
    await page.clock.runFor(4_000)
    await expect.poll(() => toasts.count()).toBe(1)
    await page.clock.runFor(2_000)
    await expect.poll(() => toasts.count()).toBe(0)
  })

  it('lies at the bottom left on a desk, away from the ways on, and on a phone below the header, away from the main button', async () => {
    const { page, toasts } = await withToast()
    const toast = () => toasts.first().boundingBox()
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    const { x = 0, y = 0, width: own = 0 } = (await toast()) ?? {}
    expect(y).toBeGreaterThan(height / 2)
    expect(x + own).toBeLessThan(width / 2)
    await page.setViewportSize({ width: 360, height: 740 })
    const header = await page.locator('header').first().boundingBox()
    await expect
      .poll(async () => ((await toast())?.y ?? 0) - (header?.height ?? 0))
      .toSatisfy((gap: number) => gap >= 0 && gap < 40)
  })

  it('is reached by F8', async () => {
    const { page } = await withToast()
    await page.keyboard.press('F8')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('[role="region"]')?.ariaLabel))
      .toMatch(/Notifications/)
  })

  it('is swiped away by more than 50 px, and stays after less', async () => {
    for (const [px, left] of [
      [40, 1],
      [80, 0],
    ] as const) {
      const { page, toasts } = await withToast()
      const box = await toasts.first().boundingBox()
      const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + (box?.height ?? 0) / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      for (const part of [0.25, 0.5, 0.75, 1]) await page.mouse.move(x + px * part, y)
      await page.mouse.up()
      await expect.poll(() => toasts.count()).toBe(left)
    }
  })
})
