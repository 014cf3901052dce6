import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

const delayMaxMs = 400

/** Delays every answer of the API by a time of its own, so that a screen stands with its placeholders before it fills. */
export async function delayAnswers(page: Page): Promise<void> {
  await page.route('**/api/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    await sleep(delayMaxMs * shareOf(pathname))
    // A page that has gone on no longer waits.
    await route.continue().catch(() => {})
  })
}

/** A number between 0 and 1 that is the same for the same text. */
function shareOf(text: string): number {
  return ([...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_009, 7) % 100) / 100
}

/** The most that a screen may move. */
const most = 0.05

type Shift = { sum: number; parts: string[] }

/** All movement since the screen was opened that nobody asked for, and the parts that moved most. */
export function shiftOf(page: Page): Promise<Shift> {
  return page.evaluate(
    () =>
      new Promise<Shift>((done) => {
        type Entry = PerformanceEntry & {
          value: number
          hadRecentInput: boolean
          sources: { node: Node | null }[]
        }
        const found: Entry[] = []
        const note = (entries: PerformanceEntryList) => found.push(...(entries as Entry[]))
        const observer = new PerformanceObserver((list) => note(list.getEntries()))
        observer.observe({ type: 'layout-shift', buffered: true })
        // Buffered entries arrive with the next task.
        setTimeout(() => {
          note(observer.takeRecords())
          const since = window.reachedAt ?? 0
          const unasked = found.filter(
            ({ hadRecentInput, startTime }) => !hadRecentInput && startTime >= since,
          )
          const sum = unasked.reduce((all, { value }) => all + value, 0)
          const parts = unasked
            .toSorted((a, b) => b.value - a.value)
            .slice(0, 3)
            .map(({ value, sources }) => {
              const moved = sources.map(({ node }) =>
                node instanceof Element
                  ? node.outerHTML.slice(0, 160)
                  : (node?.textContent ?? '').slice(0, 60),
              )
              return `${value.toFixed(3)}: ${moved.join(' | ')}`
            })
          done({ sum: Math.round(sum * 10_000) / 10_000, parts })
        }, 100)
      }),
  )
}

/** What moved, if it was more than a reader should have to follow. */
export async function jumpsOf(page: Page): Promise<string[]> {
  const { sum, parts } = await shiftOf(page)
  return sum <= most ? [] : [`moves by ${sum}`, ...parts]
}
