import type { Instant } from '#domain/instant.ts'
import { placeOfList, readAfter } from '../../store/payments/payment-lists.ts'
import type { OpenWindow } from '../../store/runs/import-windows.ts'
import { historyKinds } from './windows.ts'

/** Until the first current figures stand, each list of the history gets this number of windows at a time. */
const historyMost = 2
/**
 * Each list gets this number of readers before any list gets more, since each list has its own rate limit.
 */
const readBeside = 4

/**
 * The windows to read next, up to `limit`, best first. Lists that current figures need come before the history,
 * and the newest part of the history before its older ones. Ended subscriptions wait for the list of current
 * ones.
 */
export function chooseWindows(
  open: readonly OpenWindow[],
  { limit, figuresStand }: { limit: number; figuresStand: boolean },
): OpenWindow[] {
  const mustWait = open.some(({ kind }) => kind === readAfter.before)
  const readable = open.filter(({ kind }) => !(mustWait && kind === readAfter.list)).sort(byOrder)
  const placed = readable.map((window) => ({ window, place: placeAmongItsKind(readable, window) }))
  return placed
    .filter(
      ({ window, place }) => window.isFree && (figuresStand || !isHistory(window) || place < historyMost),
    )
    .sort(
      (a, b) => Number(a.place >= readBeside) - Number(b.place >= readBeside) || byOrder(a.window, b.window),
    )
    .slice(0, limit)
    .map(({ window }) => window)
}

/** How many windows of the same list precede this one: those being read first, those with no page left last. */
function placeAmongItsKind(open: readonly OpenWindow[], window: OpenWindow): number {
  const rank = (one: OpenWindow) => Number(one.allPagesRead) * 2 + Number(one.isFree)
  return open
    .filter(({ kind }) => kind === window.kind)
    .sort((a, b) => rank(a) - rank(b) || byOrder(a, b))
    .indexOf(window)
}

function byOrder(a: OpenWindow, b: OpenWindow): number {
  return placeOfList(a.kind) - placeOfList(b.kind) || ageOf(a) - ageOf(b) || (a.id < b.id ? -1 : 1)
}

/** Windows of the history are read newest first, all others oldest first. */
function ageOf(window: OpenWindow): number {
  const until = window.until ?? Number.MAX_SAFE_INTEGER
  return isHistory(window) ? -until : until
}

function isHistory({ kind }: OpenWindow): boolean {
  return historyKinds.includes(kind)
}

export type HistoryWatermark = {
  /** Every object of the history that was created at this time or later is stored. */
  since: Instant
  /** Customers with a stored object whose nested lists are still open. */
  incompleteCustomers: ReadonlySet<string>
}

/** How far back the history is read; null if one of its lists has not begun or none is open. */
export function historyWatermark(open: readonly OpenWindow[]): HistoryWatermark | null {
  const history = open.filter(isHistory)
  // More objects of the cursor's second may follow, so it does not count as read.
  const reading = history
    .filter(({ allPagesRead }) => !allPagesRead)
    .map(({ cursorAt, until }) => (cursorAt === null ? until : cursorAt + 1))
  if (history.length === 0 || reading.includes(null)) return null
  const incomplete = history.flatMap((window) => window.incomplete)
  return {
    since: Math.max(0, ...reading.map((at) => at ?? 0)),
    incompleteCustomers: new Set(incomplete.flatMap(({ customerId }) => customerId ?? [])),
  }
}
