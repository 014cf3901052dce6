import type { PaymentsKind } from '../../providers/payments.ts'
import { historyKinds, type KeptShare } from './import-slice.ts'

/** What is left of the longest window of a kind is cut for others to read while fewer of the kind are open than these. */
const whileOpen = 4
/** A window with fewer pages left is not worth it: each cut costs about half a request more. */
const cutPagesMin = 3
/**
 * Of a long window of the history only the newest pages stay, and the rest is cut again: so all that read it are near each
 * other, and what is in reaches back without a gap. Of any other equal parts are made, so that they end together.
 */
const kept = { pagesMin: 24, share: 1 / 9 }

/** A window that this process reads, and about how many of its pages are left. */
type OpenWindow = { slice: string; kind: PaymentsKind; pagesLeft: number }

/** Knows the windows of a run that are open, and says which of them are cut, and where. */
export function createCuts() {
  const openOf = new Map<string, number>()
  const left = new Map<string, OpenWindow>()
  const pagesOf = (kind: string) =>
    [...left.values()].flatMap((one) => (one.kind === kind ? one.pagesLeft : []))
  return {
    /** How many windows of each kind are open, whoever reads them. */
    noteOpen(open: ReadonlyMap<string, number>): void {
      openOf.clear()
      for (const [kind, count] of open) openOf.set(kind, count)
    },
    noteCut(kind: PaymentsKind, parts: number): void {
      openOf.set(kind, (openOf.get(kind) ?? 1) + parts)
    },
    /** This process does not read it any more. */
    forget(slice: string): void {
      left.delete(slice)
    },
    /** Whether a window of the kind has so many pages left, or it is not known how many; false where none is open. */
    isLong(kind: PaymentsKind, pages: number): boolean {
      const known = pagesOf(kind)
      return (openOf.get(kind) ?? 0) > 0 && (known.length === 0 || Math.max(...known) >= pages)
    },
    /** Notes what is left of a window after one of its pages, and says how that is cut (`advance`). */
    keptShareOf(window: OpenWindow): KeptShare {
      const { slice, kind, pagesLeft } = window
      left.set(slice, window)
      const isLongest = pagesOf(kind).every((pages) => pagesLeft >= pages / 2)
      const open = openOf.get(kind) ?? 1
      return (pages, partsBefore) => {
        if (!isLongest || open + partsBefore >= whileOpen || pages < cutPagesMin) return null
        const newest = Math.min(1 / 2, Math.max(kept.share, kept.pagesMin / pages))
        const equal = 1 / (1 + whileOpen - open - partsBefore)
        const share = historyKinds.includes(kind) ? newest : equal
        if (partsBefore === 0) left.set(slice, { ...window, pagesLeft: pages * share })
        return share
      }
    },
  }
}
