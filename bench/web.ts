/**
 * Measures the app in a real browser: the size before the first screen, the time until the Dashboard is complete, and
 * layout shifts.
 */
import { rmSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { everyScreen, openEveryScreen, untilComplete } from '../e2e/every-screen.ts'
import { shiftOf } from '../e2e/layout-shift.ts'
import { enter } from '../e2e/prepare.ts'
import { lookingOperatorEmail } from '../e2e/visitors.ts'
import { buildWeb } from '../tools/build-web.ts'
import { demo, fillDemo } from '../tools/demo.ts'
import { temporaryFolder } from '../tools/postgres.ts'
import { startProduct } from '../tools/product.ts'
import { measureBundle } from './web/bundle.ts'

const entryKbMax = 200
const dashboardMsMax = 1_000
const layoutShiftMax = 0.05
const slowdown = 4
const loads = 7
const sizes = { desk: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } }

/**
 * One line of figures: the entry's size, median load times of the Dashboard, every screen that shifts, and exceeded
 * limits.
 */
export async function run() {
  await buildWeb()
  const bundle = measureBundle()
  const folder = temporaryFolder('tributary-bench-web-')
  const environment = { OPERATOR_EMAILS: lookingOperatorEmail }
  const product = await startProduct({ folder, environment, say: () => {} })
  const browser = await launchBrowser()
  try {
    await fillDemo({ address: product.address, say: () => {} })
    const dashboard = await measureDashboard(browser, product.address)
    const shifts = await measureShifts(browser, product.address)
    const jumping = shifts.filter(({ shift }) => shift > layoutShiftMax)
    return {
      bench: 'web',
      ...bundle,
      ...dashboard,
      layoutShiftMax: Math.max(...shifts.map(({ shift }) => shift)),
      shifting: shifts.filter(({ shift }) => shift > 0),
      broken: [
        ...(bundle.entryKb >= entryKbMax ? [`entryKb is not under ${entryKbMax}`] : []),
        ...bundle.eager.map((name) => `${name} is not lazy`),
        ...(dashboard.slowDashboardMs > dashboardMsMax ? [`slowDashboardMs is over ${dashboardMsMax}`] : []),
        ...jumping.map(({ screen }) => `${screen} shifts by more than ${layoutShiftMax}`),
      ],
    }
  } finally {
    await browser.close()
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Loads with an empty browser cache, alternating between full processor speed and a quarter of it. */
async function measureDashboard(browser: Browser, baseURL: string) {
  const arriving = await browser.newContext({ baseURL })
  await enter(await arriving.newPage(), demo)
  const storageState = await arriving.storageState()
  await arriving.close()
  const load = async (rate: number): Promise<number> => {
    const context = await browser.newContext({ baseURL, storageState, viewport: sizes.desk })
    const page = await context.newPage()
    await slowDown(page, rate)
    await page.addInitScript(noteCompletion)
    await page.goto('/')
    const ms = await page.waitForFunction(() => window.dashboardCompleteMs)
    const value = await ms.jsonValue()
    await context.close()
    return Math.round(value ?? 0)
  }
  // The first load warms the server.
  await load(1)
  const usual: number[] = []
  const slow: number[] = []
  for (let at = 0; at < loads; at++) {
    usual.push(await load(1))
    slow.push(await load(slowdown))
  }
  return { dashboardMs: median(usual), slowDashboardMs: median(slow), slowLoadsMs: slow }
}

declare global {
  interface Window {
    dashboardCompleteMs?: number
  }
}

/** Runs in the page: records when all three figures and both tables first show without a loading state. */
function noteCompletion(): void {
  const observer = new MutationObserver(() => {
    const isLoading =
      document.querySelector('[aria-busy="true"], .mantine-Skeleton-root[data-visible]') !== null
    const tables = [...document.querySelectorAll('main table')].filter((table) =>
      table.querySelector('tbody tr'),
    )
    if (isLoading || tables.length < 2) return
    observer.disconnect()
    // The change becomes visible in the next frame.
    requestAnimationFrame(() => {
      window.dashboardCompleteMs = performance.now()
    })
  })
  observer.observe(document, { subtree: true, childList: true, attributes: true })
}

async function measureShifts(browser: Browser, baseURL: string) {
  const shifts: { screen: string; shift: number }[] = []
  for (const [size, viewport] of Object.entries(sizes)) {
    const open = await openEveryScreen(browser, { baseURL, viewport, isSlow: true })
    for (const screen of everyScreen) {
      // The drawer's screen would load the Dashboard again.
      if (screen.isPhoneOnly) continue
      const page = await open(screen)
      await untilComplete(page)
      shifts.push({ screen: `${screen.name}-${size}`, shift: (await shiftOf(page)).sum })
    }
  }
  return shifts
}

async function slowDown(page: Page, rate: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
