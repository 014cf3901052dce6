import type { Locator, Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { demo } from '../../tools/demo.ts'
import { isAlone } from '../alone.ts'
import { closeProfiles, sharedBrowser } from '../browser.ts'
import { demoChanges } from '../demo-changes.ts'
import { lockWorld, ownNetwork } from '../lock-world.ts'
import { enter } from '../prepare.ts'
import type { SharedWorld } from '../shared-world.ts'
import { newPerson } from '../world.ts'

type Visit = Awaited<ReturnType<typeof newPerson>>

/** The world that all screen tests share, with profiles of this file's own. */
export type ScreenWorld = SharedWorld & {
  newPerson(): Promise<Visit>
  /** The owner of the demo organization, signed in. */
  demoOwner(): Promise<Visit>
  close(): Promise<void>
}

export async function openLook(): Promise<ScreenWorld> {
  const world = inject('sharedWorld')
  const file = expect.getState().testPath ?? ''
  const unlock = await lockWorld(world, file)
  const changes = await demoChanges(world)
  const browser = await sharedBrowser()
  // Without motion, the browser draws a tenth less; the journeys have it.
  const profile = { ...ownNetwork(), reducedMotion: 'reduce' as const }
  const arrive = () => newPerson(browser, world.address, profile)
  let cookies: Awaited<ReturnType<Visit['context']['cookies']>> = []
  return {
    ...world,
    newPerson: arrive,
    demoOwner: async () => {
      const visit = await arrive()
      // One sign-in per file, unless a test ends the session.
      await visit.context.addCookies(cookies)
      if ((await visit.page.request.get('/api/auth/current-user')).ok()) return visit
      await enter(visit.page, demo)
      cookies = await visit.context.cookies()
      return visit
    },
    close: async () => {
      await closeProfiles()
      const made = (await demoChanges(world)).slice(changes.length)
      await unlock()
      if (made.length > 0 && !isAlone(file))
        throw new Error(`a file that runs now changed the demo: ${made.join(', ')}; add it to e2e/alone.ts`)
    },
  }
}

/** Waits until each of these texts is visible, exactly as given. */
export async function expectTexts(place: Page | Locator, ...texts: (string | RegExp)[]): Promise<void> {
  for (const text of texts)
    await place
      .getByText(text, { exact: typeof text === 'string' })
      .first()
      .waitFor()
}

/** The header of the page frame and the title of the browser tab. */
export async function expectTitle(page: Page, title: string): Promise<void> {
  await page.locator('header').getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  await expect.poll(() => page.title()).toBe(`${title} · Tributary`)
}

export const button = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name, exact: typeof name === 'string' })

export const table = (place: Page | Locator, label: string) =>
  place.getByRole('table', { name: label, exact: true })

export async function columnsOf(place: Page | Locator, label: string): Promise<string[]> {
  const headers = table(place, label).locator('thead th')
  await headers.first().waitFor()
  return (await headers.allTextContents()).map((text) => text.trim())
}

/** The texts of a table's cells, row by row; waits for the first row. */
export async function rowsOf(place: Page | Locator, label: string): Promise<string[][]> {
  const rows = table(place, label).locator('tbody tr')
  await rows.first().waitFor()
  return rows.evaluateAll((found) =>
    found.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent.trim())),
  )
}

/** The cells of one column. */
export async function columnOf(place: Page | Locator, label: string, column: string): Promise<string[]> {
  const at = (await columnsOf(place, label)).indexOf(column)
  if (at < 0) throw new Error(`${label} has no column ${column}`)
  return (await rowsOf(place, label)).map((row) => row[at] ?? '')
}

/** Counts the page's requests to our own server under this path from now on. */
export function countRequests(page: Page, path: string, method = 'GET'): () => number {
  let count = 0
  page.on('request', (request) => {
    const asked = `${new URL(request.url()).pathname}/`
    if (request.method() === method && asked.startsWith(`${path}/`)) count += 1
  })
  return () => count
}

/** Delays every network answer, so that a test can see the page while it waits. Returns the function that ends it. */
export async function slowNetwork(page: Page, latency: number): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  return () => devtools.detach()
}

/** The layout width of an element in pixels. */
export async function widthOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.width ?? 0
}

/** The computed color of a badge: tests compare colors and never name them. */
export function colorOf(locator: Locator): Promise<string> {
  return locator.evaluate((element) => getComputedStyle(element).color)
}

/** Whether a computed color is more green than red. */
export function isGreen(color: string): boolean {
  const [red = 0, green = 0] = (/\d+, \d+/.exec(color)?.[0] ?? '').split(', ').map(Number)
  return green > red
}

/** Runs an action that reloads a list, and waits for the new rows: an answer to an earlier call does not count. */
export async function relisted(page: Page, path: string, act: () => Promise<unknown>): Promise<void> {
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname === path)
  await Promise.all([asked, act()])
  await (await asked).response()
  // Until then, the earlier rows stay on the screen.
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0)
}

/**
 * Holds the page's time still while its timers go on, however long the machine takes. Answers a function that sets the
 * time to so many seconds later than at the beginning.
 */
export async function holdTime(page: Page): Promise<(seconds: number) => Promise<void>> {
  const start = Date.now()
  await page.clock.setFixedTime(start)
  return (seconds) => page.clock.setFixedTime(start + seconds * 1_000)
}

/**
 * Freezes the page's clock, which leaps up to a second ahead. It cannot stop at a time that is over, which less than a
 * second is on a slow machine.
 */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt(new Date((await page.evaluate(() => Date.now())) + 1_000))
}

/**
 * Freezes the page's clock and shows that the page polls a path `everyMs` after each answer. The clock also stops while
 * an answer is pending. Requires `page.clock.install()` before the page opens; the clock stays frozen.
 */
export async function expectPolled(page: Page, path: string, everyMs: number): Promise<void> {
  const stepMs = 100
  await pauseClock(page)
  const polls = await notePolls(page, path)
  const runUntil = async (wanted: number) => {
    for (let ranMs = 0; (await polls()).length < wanted && ranMs <= 2 * everyMs; ranMs += stepMs)
      await page.clock.runFor(stepMs)
    await expect.poll(async () => (await polls())[wanted - 1]?.answeredAt ?? null).not.toBeNull()
  }
  await runUntil(1)
  await runUntil(2)
  const [first, second] = await polls()
  const waitedMs = (second?.askedAt ?? 0) - (first?.answeredAt ?? 0)
  expect(waitedMs).toBeGreaterThanOrEqual(everyMs - stepMs)
  expect(waitedMs).toBeLessThanOrEqual(everyMs + 5 * stepMs)
}

/** Records, by the page's own clock, the requests for this path and their answers from now on. */
async function notePolls(page: Page, path: string) {
  const polls = await page.evaluateHandle((path) => {
    const noted: { askedAt: number; answeredAt: number | null }[] = []
    const { fetch } = window
    window.fetch = async (address, options) => {
      const poll = { askedAt: Date.now(), answeredAt: null as number | null }
      if (String(address).startsWith(path)) noted.push(poll)
      const answer = await fetch(address, options)
      await answer.clone().text()
      poll.answeredAt = Date.now()
      return answer
    }
    return noted
  }, path)
  return () => polls.jsonValue()
}

/** Reloads the page of a list and expects placeholders for its rows until they load. */
export async function expectPlacesKept(page: Page, label: string): Promise<void> {
  const loading = page.getByRole('status', { name: 'Loading rows' })
  await rowsOf(page, label)
  const atOnce = await slowNetwork(page, 1_000)
  const opened = page.reload()
  await loading.waitFor()
  await opened
  await rowsOf(page, label)
  expect(await loading.count()).toBe(0)
  await atOnce()
}
