import type { Locator, Page, Response } from 'playwright-core'
import { expect, inject } from 'vitest'
import { demo } from '../../tools/demo.ts'
import { launchBrowser } from '../browser.ts'
import { lockWorld, ownNetwork } from '../lock-world.ts'
import { enter } from '../prepare.ts'
import type { SharedWorld } from '../shared-world.ts'
import { newPerson } from '../world.ts'

type Visit = Awaited<ReturnType<typeof newPerson>>

/** The world that all tests of screens share, with a browser of this file's own in front of it. */
export type ScreenWorld = SharedWorld & {
  newPerson(): Promise<Visit>
  /** Whoever owns the demo organization, signed in. */
  demoOwner(): Promise<Visit>
  close(): Promise<void>
}

export async function openLook(): Promise<ScreenWorld> {
  const world = inject('sharedWorld')
  const unlock = await lockWorld(world, expect.getState().testPath ?? '')
  const browser = await launchBrowser()
  const network = ownNetwork()
  const arrive = () => newPerson(browser, world.address, network)
  let cookies: Awaited<ReturnType<Visit['context']['cookies']>> = []
  return {
    ...world,
    newPerson: arrive,
    demoOwner: async () => {
      const visit = await arrive()
      // One sign-in for a file, unless a test ends it.
      await visit.context.addCookies(cookies)
      if ((await visit.page.request.get('/api/auth/current-user')).ok()) return visit
      await enter(visit.page, demo)
      cookies = await visit.context.cookies()
      return visit
    },
    close: async () => {
      await browser.close()
      await unlock()
    },
  }
}

/** Waits until each of these texts stands there, to the letter. */
export async function expectTexts(place: Page | Locator, ...texts: (string | RegExp)[]): Promise<void> {
  for (const text of texts)
    await place
      .getByText(text, { exact: typeof text === 'string' })
      .first()
      .waitFor()
}

/** The header of the shell and the title of the browser's tab. */
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

/** The texts of a table's cells, row by row, once it has a row. */
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

/** Counts the page's requests to our own server whose path begins so, from now on. */
export function countRequests(page: Page, path: string, method = 'GET'): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === method && new URL(request.url()).pathname.startsWith(path)) count += 1
  })
  return () => count
}

/** Lets every answer of the network come late, so that what stands there meanwhile can be seen. Gives the way to end it. */
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

/** How many pixels wide an element is laid out. */
export async function widthOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.width ?? 0
}

/** The colour of a badge, as the theme resolved it: compared, never named. */
export function colorOf(locator: Locator): Promise<string> {
  return locator.evaluate((element) => getComputedStyle(element).color)
}

/** Whether a colour, as the browser computed it, is more green than red. */
export function isGreen(color: string): boolean {
  const [red = 0, green = 0] = (/\d+, \d+/.exec(color)?.[0] ?? '').split(', ').map(Number)
  return green > red
}

/** Does something that has a list fetched anew, and waits until the new rows are there. */
export async function relisted(page: Page, path: string, act: () => Promise<unknown>): Promise<void> {
  const isAnswer = (response: Response) => new URL(response.url()).pathname === path
  await Promise.all([page.waitForResponse(isAnswer), act()])
  // Meanwhile the rows of before stay on the screen.
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0)
}

/**
 * Holds the page's clock and shows that a path is asked for again so many milliseconds after it was answered, by that clock,
 * which stands still while an answer is on its way. The page must have been opened with `page.clock.install()`; its clock
 * stands still afterwards.
 */
export async function expectPolled(page: Page, path: string, everyMs: number): Promise<void> {
  const stepMs = 100
  await page.clock.pauseAt(new Date((await page.evaluate(() => Date.now())) + 10 * stepMs))
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

/** Lets the page note, by its own clock, when it asks for this path and when it has the answer, from now on. */
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

/** Loads the page of a list anew and sees the places of its rows until they have come. */
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
