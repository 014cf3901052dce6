import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'

declare global {
  interface Window {
    /** When the screen was reached within the app; undefined where the page was loaded for it. */
    reachedAt?: number
  }
}

const quietMs = 500
/** A browser takes movement for asked for until half a second after a key or another size of the window. */
const calmMs = 600

/**
 * Leads from screen to screen of the app on the page, as its links do. The page loads again where a dialog stays open, and
 * for the same path once something was done on it.
 */
export function walkOn(page: Page): (path: string, isActedOn: boolean) => Promise<void> {
  const settled = watchNetwork(page)
  let standing = { path: '', isActedOn: false }
  return async (path, isActedOn) => {
    const before = standing
    standing = { path, isActedOn }
    if (before.path === path && !before.isActedOn) return
    if (before.path === '' || before.path === path || (await isBlocked(page)))
      return void (await page.goto(path))
    await sleep(calmMs)
    await page.evaluate((to) => {
      window.reachedAt = performance.now()
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
    await settled()
  }
}

/** Whether a dialog is open that does not close. */
async function isBlocked(page: Page): Promise<boolean> {
  const dialog = page.getByRole('dialog')
  if ((await dialog.count()) === 0) return false
  await page.keyboard.press('Escape')
  return dialog.waitFor({ state: 'hidden', timeout: 2_000 }).then(
    () => false,
    () => true,
  )
}

/** Returns a function that waits until the page has asked for nothing for a while. */
function watchNetwork(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  let changedAt = 0
  const note = (change: () => unknown) => {
    change()
    changedAt = performance.now()
  }
  page.on('request', (request) => note(() => open.add(request)))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => note(() => open.delete(request)))
  return async () => {
    changedAt = performance.now()
    while (open.size > 0 || performance.now() - changedAt < quietMs) await sleep(50)
  }
}
