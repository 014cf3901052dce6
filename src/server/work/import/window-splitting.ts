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
const kept = { pagesMin: 8, share: 1 / 9, shareMax: 0.3 }
/**
 * When a window that nothing is older than has no more than so many pages left, the oldest of them are read beside the others, however many are
 * open: else they would be the last of all, and then it would be waited for what lists inside their objects hold.
 */
const oldest = { ofPages: 60, pages: 20 }

/** A window that this process reads, and about how many of its pages are left. Nothing is older than the oldest. */
type OpenWindow = { slice: string; kind: PaymentsKind; pagesLeft: number; isOldest: boolean }

/** Knows the windows of a run that are open, and says which of them are cut, and where. */
export function createCuts() {
  const openOf = new Map<string, number>()
  const left = new Map<string, OpenWindow>()
  /** Kinds of windows of which this process has all pages, while the last of them is not saved yet: to the run they are open. */
  const ended = new Map<string, PaymentsKind>()
  const pagesOf = (kind: string) =>
    [...left.values()].flatMap((one) => (one.kind === kind ? one.pagesLeft : []))
  return {
    /** How many windows of each kind are open to the run, whoever reads them. */
    noteOpen(open: ReadonlyMap<string, number>): void {
      openOf.clear()
      for (const [kind, count] of open) openOf.set(kind, count)
      for (const kind of ended.values()) openOf.set(kind, (openOf.get(kind) ?? 1) - 1)
    },
    /** This process has all pages of it. */
    noteEnded(slice: string, kind: PaymentsKind): void {
      left.delete(slice)
      ended.set(slice, kind)
      openOf.set(kind, (openOf.get(kind) ?? 1) - 1)
    },
    /** Its last page is saved. */
    noteListed(slice: string): void {
      ended.delete(slice)
    },
    noteCut(kind: PaymentsKind, parts: number): void {
      openOf.set(kind, (openOf.get(kind) ?? 1) + parts)
    },
    /** This process does not read it any more. */
    forget(slice: string): void {
      left.delete(slice)
      ended.delete(slice)
    },
    /** Whether a window of the kind has so many pages left; false where none is open, null where it is not known how many. */
    isLong(kind: PaymentsKind, pages: number): boolean | null {
      if ((openOf.get(kind) ?? 0) <= 0) return false
      const known = pagesOf(kind)
      return known.length === 0 ? null : Math.max(...known) >= pages
    },
    /** Notes what is left of a window after one of its pages, and says how that is cut (`advance`). */
    keptShareOf(window: OpenWindow): KeptShare {
      const { slice, kind, pagesLeft, isOldest } = window
      const isHistory = historyKinds.includes(kind)
      left.set(slice, window)
      const isLongest = pagesOf(kind).every((pages) => pagesLeft >= pages / 2)
      const open = openOf.get(kind) ?? 1
      if (isHistory && isOldest && pagesLeft > 2 * oldest.pages && pagesLeft <= oldest.ofPages) {
        left.set(slice, { ...window, pagesLeft: pagesLeft - oldest.pages })
        return (pages, partsBefore) => (partsBefore === 0 ? 1 - oldest.pages / pages : null)
      }
      return (pages, partsBefore) => {
        if (!isLongest || open + partsBefore >= whileOpen || pages < cutPagesMin) return null
        const newest = Math.min(kept.shareMax, Math.max(kept.share, kept.pagesMin / pages))
        const equal = 1 / (1 + whileOpen - open - partsBefore)
        const share = isHistory ? newest : equal
        if (partsBefore === 0) left.set(slice, { ...window, pagesLeft: pages * share })
        return share
      }
    },
  }
}
