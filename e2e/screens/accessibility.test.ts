import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { standard, violationsOf } from '../axe.ts'
import { launchBrowser } from '../browser.ts'
import { everyScreen, openEveryScreen, type Screen } from '../every-screen.ts'
import { faintEdges } from '../faint-edges.ts'
import { jumpsOf } from '../layout-shift.ts'
import { lockWorld, ownNetwork } from '../lock-world.ts'

declare global {
  interface Window {
    textBefore?: string
  }
}

/** The rules that read colors. The others say the same of the same document, whatever the scheme. */
const ofColours = ['color-contrast', 'link-in-text-block']
const desk = { width: 1280, height: 900 }
const phone = { width: 360, height: 740 }
/** At 200 % zoom, a desktop has half as many pixels for layout. */
const zoomed = { width: desk.width / 2, height: desk.height / 2 }
/** An owner walks on a desk, and screens of all others load on a phone; the member's test loads those of the owner there. */
const loadedAt = (visitor: Screen['visitor']) => (visitor === 'owner' ? desk : phone)

let browser: Awaited<ReturnType<typeof launchBrowser>>
let open: Awaited<ReturnType<typeof openEveryScreen>>
let unlock: () => Promise<void>
beforeAll(async () => {
  unlock = await lockWorld(inject('sharedWorld'), import.meta.filename)
  browser = await launchBrowser()
  const { address } = inject('sharedWorld')
  open = await openEveryScreen(browser, {
    ...ownNetwork(),
    baseURL: address,
    sizeFor: loadedAt,
    isSlow: true,
    walker: 'owner',
  })
})
afterAll(async () => {
  await browser?.close()
  await unlock?.()
})

describe.each(everyScreen)('$name', (screen) => {
  it('has nothing that axe finds, does not scroll sideways, and does not jump while it loads', async () => {
    const page = await open(screen)
    expect.soft(await jumpsOf(page)).toEqual([])
    expect.soft(await strayHeadings(page), 'headings').toEqual([])
    const sizes = screen.isPhoneOnly ? [phone] : [desk, zoomed, phone]
    for (const size of sizes) {
      await page.setViewportSize(size)
      expect.soft(await overflowOf(page), `sideways at ${size.width} px`).toEqual([])
      expect.soft(await movedHeads(page), `heads of tables at ${size.width} px`).toEqual([])
      if (size === phone) expect.soft(await untilFitting(page), 'tables that scroll sideways').toEqual([])
      if (size === zoomed) continue
      await page.emulateMedia({ colorScheme: 'light' })
      expect.soft(await violationsOf(page, standard), `light at ${size.width} px`).toEqual([])
      expect.soft(await faintEdges(page), `edges in light at ${size.width} px`).toEqual([])
      await isSameAsBefore(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      const isSame = await isSameAsBefore(page)
      const rules = isSame ? ofColours : standard
      expect.soft(await violationsOf(page, rules), `dark at ${size.width} px`).toEqual([])
      expect.soft(await faintEdges(page), `edges in dark at ${size.width} px`).toEqual([])
    }
    await page.setViewportSize(loadedAt(screen.visitor))
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

/** Headings that their levels make parts of a section in which they are not. */
function strayHeadings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const above: Element[] = []
    const found: string[] = []
    for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
      while ((above.at(-1)?.tagName ?? '') >= heading.tagName) above.pop()
      const parent = above.at(-1)
      const section = parent?.closest('section, .mantine-Card-root')
      if (section && !section.contains(heading))
        found.push(`${heading.tagName} ${heading.textContent} below ${parent?.textContent}`)
      above.push(heading)
    }
    return found
  })
}

/** Tables whose heads lie over their rows while the page is at its top, as in a box that must not keep them in view. */
function movedHeads(page: Page): Promise<(string | null)[]> {
  return page.evaluate(() => {
    if (window.scrollY > 0) return []
    const topOf = (element: Element | null) => element?.getBoundingClientRect().top ?? 0
    return [...document.querySelectorAll('table:has(thead)')]
      .filter((table) => topOf(table.querySelector('thead')) - topOf(table) > 2)
      .map((table) => table.getAttribute('aria-label'))
  })
}

/** Whether the document is what it was at the last call, but for the attribute that names its scheme. */
function isSameAsBefore(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const text = document.documentElement.outerHTML.replace(/data-mantine-color-scheme="\w+"/, '')
    const isSame = window.textBefore === text
    window.textBefore = text
    return isSame
  })
}

/** Tables of figures, whose rows have a name that stays in view beside the most important amounts. */
const pinned = ['MRR movements', 'Segments', 'Cohorts']

/** The tables that hide columns on a phone, where records are cards. A screen that was wider a moment ago gets its time. */
async function untilFitting(page: Page): Promise<string[]> {
  const wide = () =>
    page.locator('table').evaluateAll((tables) =>
      tables
        .filter((table) => {
          let box = table.parentElement
          while (box !== null && getComputedStyle(box).overflowX !== 'auto') box = box.parentElement
          return box !== null && box.scrollWidth > box.clientWidth + 1
        })
        .map((table) => table.getAttribute('aria-label') ?? 'without a name'),
    )
  const left = async () => (await wide()).filter((name) => !pinned.includes(name))
  for (let tries = 0; tries < 20 && (await left()).length > 0; tries += 1) await page.waitForTimeout(50)
  return left()
}
