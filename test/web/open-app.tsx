import {
  act,
  cleanup,
  configure,
  fireEvent,
  prettyDOM,
  render,
  screen,
  waitFor,
  within,
} from '@testing-library/react'
import { createMemoryRouter } from 'react-router'
import { expect, onTestFinished, vi } from 'vitest'
import { App } from '#web/app.tsx'
import { createQueryClient } from '#web/query-client.ts'
import { routes } from '#web/routes.tsx'
import type { TestWorld, Visitor } from '../harness.ts'

// Adds browser functions that jsdom lacks; none of them decides what a screen says.
window.matchMedia = (query) =>
  Object.assign(new EventTarget(), {
    matches: false,
    media: query,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
  })
window.scrollTo = () => {}
Element.prototype.scrollIntoView = () => {}
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

// The real app answers, and it may take time on a busy machine.
const asyncUtilTimeout = 30_000
configure({ asyncUtilTimeout, defaultHidden: true, getElementError: elementError })

const pageBelow = '\n\nThe page:\n'

/** Writes the page into an error only once somebody reads it: most are of a poll that succeeds a moment later. */
function elementError(message: string | null, container: Element): Error {
  const error = new Error()
  error.name = 'TestingLibraryElementError'
  // An error of a query that is told again after its time has the page already.
  const get = () =>
    message?.includes(pageBelow) ? message : `${message ?? ''}${pageBelow}${prettyDOM(container)}`
  Object.defineProperty(error, 'message', { get, configurable: true })
  return error
}

const underway = new Set<Promise<unknown>>()

/** Takes every app off the document. */
export async function closeApps(): Promise<void> {
  cleanup()
  // No call may still run against a world that is about to close.
  await Promise.allSettled(underway)
  underway.clear()
  vi.unstubAllGlobals()
}

export type OpenApp = {
  /** Returns the path and query of the address. */
  address(): string
  goTo(path: string): Promise<void>
  /** Repeats every call of the screen at once, or those of one path, as the next poll would. */
  poll(path?: string): Promise<void>
  /**
   * Waits for a toast since the app was opened, even if it has disappeared: a toast lasts seconds, and a busy machine
   * is slower. A test that expects none waits for a time of its own.
   */
  told(text: string | RegExp, timeout?: number): Promise<void>
  /** Counts the reloads of the page. */
  reloads(): number
}

/** Renders the whole app at an address in the visitor's browser. The world's real app answers its calls. */
export function openApp(world: TestWorld, visitor: Visitor, path: string): OpenApp {
  const tracked: typeof fetch = (input, init) => {
    const answer = visitor.fetch(input, init)
    underway.add(answer)
    return answer
  }
  vi.stubGlobal('fetch', tracked)
  const toasts = noteToasts()
  const queryClient = createQueryClient()
  const router = createMemoryRouter(routes, { initialEntries: [path] })
  let reloads = 0
  const reload = () => {
    reloads += 1
  }
  render(<App router={router} queryClient={queryClient} now={world.now} reload={reload} />)
  return {
    address: () => `${router.state.location.pathname}${router.state.location.search}`,
    goTo: (to) => act(() => router.navigate(to)),
    poll: (path) =>
      act(() =>
        queryClient.refetchQueries({ type: 'active', ...(path === undefined ? {} : { queryKey: [path] }) }),
      ),
    reloads: () => reloads,
    told: (text, timeout = asyncUtilTimeout) =>
      waitFor(() => expect(toasts()).toContainEqual(saying(text)), { timeout }),
  }
}

function saying(text: string | RegExp): unknown {
  return typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text)
}

/** Records the text of every toast from now on. */
function noteToasts(): () => string[] {
  const seen = new Map<Element, string>()
  const observer = new MutationObserver(() => {
    for (const toast of document.querySelectorAll('ol[tabindex] > li[data-state]'))
      seen.set(toast, toast.textContent)
  })
  observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  onTestFinished(() => observer.disconnect())
  return () => [...seen.values()]
}

/** Waits for a heading, because headings name the screen in an accessible tree. */
export function heading(name: string | RegExp): Promise<HTMLElement> {
  return screen.findByRole('heading', { name })
}

/** Waits until the texts of a table's cells are as expected, and returns them row by row. */
export async function rowsOf(label: string, isThere: (rows: string[][]) => boolean): Promise<string[][]> {
  return waitFor(() => {
    const rows = within(screen.getByRole('table', { name: label })).getAllByRole('row')
    const texts = rows
      .map((row) =>
        within(row)
          .queryAllByRole('cell')
          .map((cell) => cell.textContent),
      )
      .filter((cells) => cells.length > 0)
    if (!isThere(texts)) throw new Error(`${label} shows ${JSON.stringify(texts)}`)
    return texts
  })
}

export async function press(name: string | RegExp): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name }))
}
