// Several readers share a long list: after each page, the rest of a window can be cut into windows of their own.
// While fewer than four windows of a list are open, its longest one is cut.

import type { Instant } from '#domain/instant.ts'
import type { PageCursor, PaymentsKind } from '../../providers/payments.ts'
import type { ImportWindow } from '../../store/runs/import-windows.ts'
import { historyKinds, newWindow } from './windows.ts'

/** We cut the longest window of a kind while fewer windows of that kind are open, so that others can read. */
const whileOpen = 4
/** A cut of fewer pages does not pay: each cut costs about half a request more. */
const cutPagesMin = 3
/** A shorter window does not justify a list of its own. */
const shortestWindowSeconds = 2 * 24 * 3600
/**
 * A history window keeps only its newest part, and the rest is cut again: all readers stay close together and
 * the history has no gaps. Other windows are cut into equal parts, so that they end together.
 */
const newestShare = 1 / 5

/**
 * Receives the estimated pages left in a window and the number of parts cut off so far. Returns the share
 * that stays after one more cut, or null for no cut.
 */
export type KeptShare = (pagesLeft: number, partsBefore: number) => number | null

/** A window that this process reads, and an estimate of its pages left. */
type ReadWindow = { id: string; kind: PaymentsKind; pagesLeft: number }

/** Tracks the open windows of a run, and decides which of them to cut, and where. */
export function createCuts() {
  let openOf = new Map<string, number>()
  const left = new Map<string, ReadWindow>()
  return {
    /** How many windows of each kind the run counts as open, across all readers. */
    noteOpen(open: readonly Pick<ImportWindow, 'kind' | 'allPagesRead'>[]): void {
      openOf = new Map()
      for (const { kind, allPagesRead } of open)
        if (!allPagesRead) openOf.set(kind, (openOf.get(kind) ?? 0) + 1)
    },
    noteCut(kind: PaymentsKind, parts: number): void {
      openOf.set(kind, (openOf.get(kind) ?? 1) + parts)
    },
    /** This process no longer reads the window. */
    forget(id: string): void {
      left.delete(id)
    },
    /** Notes the pages left in a window after one of its pages, and says how to cut the rest (`advance`). */
    keptShareOf(window: ReadWindow): KeptShare {
      const { id, kind, pagesLeft } = window
      left.set(id, window)
      const isLongest = [...left.values()].every((one) => one.kind !== kind || pagesLeft >= one.pagesLeft)
      const open = openOf.get(kind) ?? 1
      return (pages, partsBefore) => {
        if (!isLongest || open + partsBefore >= whileOpen || pages < cutPagesMin) return null
        const share = historyKinds.includes(kind) ? newestShare : 1 / (1 + whileOpen - open - partsBefore)
        if (partsBefore === 0) left.set(id, { ...window, pagesLeft: pages * share })
        return share
      }
    },
  }
}

/**
 * Moves the window past a page. If more pages follow, `keptShare` may cut the remaining time: the window keeps
 * the newest part, and each older part becomes a window of its own.
 */
export function advance(
  window: ImportWindow,
  next: PageCursor | null,
  pagesLeft: number,
  keptShare: KeptShare,
): { window: ImportWindow; older: ImportWindow[] } {
  const { kind, from, oldestAt } = window
  if (next === null) return { window: { ...window, allPagesRead: true }, older: [] }
  const oldest = from ?? oldestAt
  const cutsAt: Instant[] = []
  for (let [top, pages] = [next.createdAt, pagesLeft]; oldest !== null; ) {
    if (top - oldest < shortestWindowSeconds) break
    const share = keptShare(pages, cutsAt.length)
    if (share === null) break
    top = Math.floor(top - (top - oldest) * share)
    pages *= 1 - share
    cutsAt.push(top)
  }
  return {
    window: { ...window, cursorId: next.id, cursorAt: next.createdAt, from: cutsAt[0] ?? from },
    older: cutsAt.map((until, index) =>
      newWindow(kind, { from: cutsAt[index + 1] ?? from, until, oldestAt }),
    ),
  }
}
