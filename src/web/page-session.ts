/** Whose page is on the screen: a person, and the organization it shows (null where one is still to be chosen). */
export type PageOwner = { userId: number; email: string; organizationId: number | null }

let owner: PageOwner | null = null
/** The owner while the session has ended and nobody has signed in again. */
let locked: PageOwner | null = null
/** Calls that wait for the owner; told whether they may be repeated. */
const waiting = new Set<(mayRepeat: boolean) => void>()
const watchers = new Set<() => void>()

function settle(next: PageOwner | null, mayRepeat: boolean): void {
  locked = next
  for (const told of waiting) told(mayRepeat)
  waiting.clear()
  for (const notify of watchers) notify()
}

/**
 * What happens when the session of a page ends. Calls that are refused for it wait here; the page is hidden until its
 * owner is back, and then they are repeated.
 */
export const pageSession = {
  /** Says whose page is shown from now on; null where nobody's is. Calls that still wait fail. */
  own(next: PageOwner | null): void {
    owner = next
    if (locked !== null || waiting.size > 0) settle(null, false)
  },
  /** Resolves once a refused call may be repeated, or with false where it is to fail: the page has no owner. */
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
  /** To call when the owner has signed in again. */
  goOn(): void {
    settle(null, true)
  },
  /** Who has to sign in; null while the page may be shown. */
  locked: (): PageOwner | null => locked,
  watch(notify: () => void): () => void {
    watchers.add(notify)
    return () => watchers.delete(notify)
  },
}
