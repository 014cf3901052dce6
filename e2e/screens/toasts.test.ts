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

  it('lies at the bottom right on a desk, and at the bottom on a phone, away from what has the focus', async () => {
    const { page, toasts } = await withToast()
    const toast = () => toasts.first().boundingBox()
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    const { x = 0, y = 0, width: own = 0 } = (await toast()) ?? {}
    expect(y).toBeGreaterThan(height / 2)
    expect(x).toBeGreaterThan(width / 2)
    expect(x + own).toBeLessThanOrEqual(width)
    await page.setViewportSize({ width: 360, height: 740 })
    const gapBelow = async () => {
      const box = await toast()
      return box === null ? null : Math.round(740 - box.y - box.height)
    }
    const toggle = page.getByRole('switch', { name: 'Auto-Create Companies' })
    const scrollTo = (block: 'start' | 'end') =>
      toggle.evaluate((element, block) => {
        element.focus({ preventScroll: true })
        element.scrollIntoView({ block })
      }, block)
    await scrollTo('start')
    await expect.poll(gapBelow).toBe(8)
    await scrollTo('end')
    await expect
      .poll(async () => {
        const [box, control] = [await toast(), await toggle.boundingBox()]
        return box !== null && control !== null && box.y + box.height <= control.y
      })
      .toBe(true)
  })

  it.each([
    [1440, 900],
    [360, 740],
  ])('leaves the page numbers below a list free at %i x %i', async (width, height) => {
    const { page, toasts } = await withToast()
    await page.setViewportSize({ width, height })
    // It stays while the pointer is over it.
    await toasts.first().hover()
    if (width < 640) await page.getByRole('button', { name: 'Open navigation' }).press('Enter')
    await page
      .getByRole('link', { name: /^Subscriptions/ })
      .first()
      .press('Enter')
    const paging = page.getByRole('navigation', { name: 'Pagination' })
    await paging.scrollIntoViewIfNeeded()
    // So high that the numbers stand where the toast would.
    const { y = 0 } = (await paging.boundingBox()) ?? {}
    await page.setViewportSize({ width, height: Math.ceil(y) + 60 })
    await expect
      .poll(async () => {
        const [box, pages] = [await toasts.first().boundingBox(), await paging.boundingBox()]
        return box !== null && pages !== null && box.y + box.height <= pages.y
      })
      .toBe(true)
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
