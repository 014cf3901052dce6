/** The person whose page is on the screen, and its organization (null until one is chosen). */
export type PageOwner = { userId: number; email: string; organizationId: number | null }

let owner: PageOwner | null = null
/** The owner of the page, from the end of the session until somebody has signed in again. */
let locked: PageOwner | null = null
/** Calls that wait for the owner; each is told whether it may be repeated. */
const waiting = new Set<(mayRepeat: boolean) => void>()
const watchers = new Set<() => void>()

function settle(next: PageOwner | null, mayRepeat: boolean): void {
  locked = next
  for (const told of waiting) told(mayRepeat)
  waiting.clear()
  for (const notify of watchers) notify()
}

/**
 * Handles the end of a page's session. Refused calls wait here and the page is hidden, until its owner is back and
 * the calls are repeated.
 */
export const pageSession = {
  /** Sets the owner of the page that is shown; null for nobody. Calls that still wait fail. */
  own(next: PageOwner | null): void {
    owner = next
    if (locked !== null || waiting.size > 0) settle(null, false)
  },
  /** Resolves with true once a refused call may be repeated, and with false when the page has no owner. */
  untilOwnerIsBack(signal?: AbortSignal | null): Promise<boolean> {
    if (owner === null) return Promise.resolve(false)
    return new Promise((resolve, reject) => {
      waiting.add(resolve)
      signal?.addEventListener('abort', () => {
        waiting.delete(resolve)
        reject(signal.reason)
      })
      if (locked !== null) return
      locked = owner
      for (const notify of watchers) notify()
    })
  },
  /** Call this when the owner has signed in again. */
  goOn(): void {
    settle(null, true)
  },
  /** The person who has to sign in; null while the page may be shown. */
  locked: (): PageOwner | null => locked,
  watch(notify: () => void): () => void {
    watchers.add(notify)
    return () => watchers.delete(notify)
  },
}
