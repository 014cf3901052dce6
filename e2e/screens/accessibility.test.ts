import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { launchBrowser } from '../browser.ts'
import { everyScreen, openEveryScreen } from '../every-screen.ts'
import { lockWorld, ownNetwork } from '../lock-world.ts'

declare global {
  interface Window {
    axe: typeof axe
  }
}

const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const desk = { width: 1280, height: 900 }
const phone = { width: 360, height: 740 }
/** At 200 % zoom, a desktop has half as many pixels for layout. */
const zoomed = { width: desk.width / 2, height: desk.height / 2 }

let browser: Awaited<ReturnType<typeof launchBrowser>>
let open: Awaited<ReturnType<typeof openEveryScreen>>
let unlock: () => Promise<void>
beforeAll(async () => {
  unlock = await lockWorld(inject('sharedWorld'), import.meta.filename)
  browser = await launchBrowser()
  const { address } = inject('sharedWorld')
  open = await openEveryScreen(browser, { ...ownNetwork(), baseURL: address, viewport: desk })
})
afterAll(async () => {
  await browser?.close()
  await unlock?.()
})

describe.each(everyScreen)('$name', (screen) => {
  it('has nothing that axe finds, and does not scroll sideways', async () => {
    const page = await open(screen)
    const sizes = screen.isPhoneOnly ? [phone] : [desk, zoomed, phone]
    for (const size of sizes) {
      await page.setViewportSize(size)
      expect.soft(await overflowOf(page), `sideways at ${size.width} px`).toEqual([])
      if (size === zoomed) continue
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect.soft(await violationsOf(page), `${colorScheme} at ${size.width} px`).toEqual([])
      }
    }
    await page.setViewportSize(desk)
  })
})

/** Elements that overflow the window when the page scrolls sideways; tables with their own scrollbars do not count. */
function overflowOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const isOut = (element: Element) => element.getBoundingClientRect().right > clientWidth
    const out = [...document.querySelectorAll('body *')].filter(isOut)
    const first = out.slice(0, 3).map((element) => element.outerHTML.slice(0, 160))
    return [`${scrollWidth - clientWidth} px`, ...first]
  })
}

async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = await page.evaluate(
    async (tags) => (await window.axe.run({ runOnly: tags })).violations,
    standard,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
  )
}
