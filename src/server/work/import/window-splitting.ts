import type { PaymentsKind } from '../../providers/payments.ts'
import { historyKinds, type KeptShare } from './import-slice.ts'

/** We cut the longest window of a kind while fewer windows of that kind are open, so that others can read. */
const whileOpen = 4
/** A cut of fewer pages does not pay: each cut costs about half a request more. */
const cutPagesMin = 3
/**
 * A history window keeps only its newest part, and the rest is cut again: all readers stay close together and
 * the history has no gaps. Other windows are cut into equal parts, so that they end together.
 */
const newestShare = 1 / 5

/** A window that this process reads, and an estimate of its pages left. */
type OpenWindow = { slice: string; kind: PaymentsKind; pagesLeft: number }

/** Tracks the open windows of a run, and decides which of them to cut, and where. */
export function createCuts() {
  const openOf = new Map<string, number>()
  const left = new Map<string, OpenWindow>()
  const pagesOf = (kind: string) =>
    [...left.values()].flatMap((one) => (one.kind === kind ? one.pagesLeft : []))
  return {
    /** How many windows of each kind the run counts as open, across all readers. */
    noteOpen(open: ReadonlyMap<string, number>): void {
      openOf.clear()
      for (const [kind, count] of open) openOf.set(kind, count)
    },
    noteCut(kind: PaymentsKind, parts: number): void {
      openOf.set(kind, (openOf.get(kind) ?? 1) + parts)
    },
    /** This process no longer reads the window. */
    forget(slice: string): void {
      left.delete(slice)
    },
    /**
     * Whether an open window of the kind has at least `pages` pages left; false if none is open, null if
     * unknown.
     */
    isLong(kind: PaymentsKind, pages: number): boolean | null {
      if ((openOf.get(kind) ?? 0) <= 0) return false
      const known = pagesOf(kind)
      return known.length === 0 ? null : Math.max(...known) >= pages
    },
    /** Notes the pages left in a window after one of its pages, and says how to cut the rest (`advance`). */
    keptShareOf(window: OpenWindow): KeptShare {
      const { slice, kind, pagesLeft } = window
      const isHistory = historyKinds.includes(kind)
      left.set(slice, window)
      const isLongest = pagesOf(kind).every((pages) => pagesLeft >= pages)
      const open = openOf.get(kind) ?? 1
      return (pages, partsBefore) => {
        if (!isLongest || open + partsBefore >= whileOpen || pages < cutPagesMin) return null
        const share = isHistory ? newestShare : 1 / (1 + whileOpen - open - partsBefore)
        if (partsBefore === 0) left.set(slice, { ...window, pagesLeft: pages * share })
        return share
      }
    },
  }
}
