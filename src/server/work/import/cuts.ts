import type { PaymentsKind } from '../../providers/payments.ts'
import { historyKinds } from './import-slice.ts'

/** What is left of the longest window of a kind is cut for others to read while fewer of the kind are open than these. */
const whileOpen = 4
/** Nor is less cut: each cut costs about half a request more. */
const pagesMin = 3
/**
 * Of a long window of the history only the newest pages stay, and the rest is cut again: so all that read it are near each
 * other, and what is in reaches back without a gap. Of any other equal parts are made, so that they end together.
 */
const kept = { pagesMin: 24, share: 1 / 9 }

/** Part of a window, and about how many of its pages are left. */
type Part = { slice: string; kind: PaymentsKind; pagesLeft: number }

/** Of what is left of a window after a page, in pages about, the share that stays when it is cut once more; null: no cut. */
export type KeptShare = (pagesLeft: number, partsBefore: number) => number | null

/** Knows the windows of a run that are open, and says which of them are cut, and where. */
export function createCuts() {
  const openOf = new Map<string, number>()
  const left = new Map<string, Part>()
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
    /** Whether a window of the kind has so many pages left, or it is not known how many. */
    isLong(kind: PaymentsKind, pages: number): boolean {
      const known = pagesOf(kind)
      return (openOf.get(kind) ?? 0) > 0 && (known.length === 0 || Math.max(...known) >= pages)
    },
    /** For a window after one of its pages (`advance`). */
    keptShareOf(part: Part): KeptShare {
      const { slice, kind, pagesLeft } = part
      left.set(slice, part)
      const isLongest = pagesOf(kind).every((pages) => pagesLeft >= pages / 2)
      const open = openOf.get(kind) ?? 1
      return (pages, partsBefore) => {
        if (!isLongest || open + partsBefore >= whileOpen || pages < pagesMin) return null
        const newest = Math.min(1 / 2, Math.max(kept.share, kept.pagesMin / pages))
        const equal = 1 / (1 + whileOpen - open - partsBefore)
        const share = historyKinds.includes(kind) ? newest : equal
        if (partsBefore === 0) left.set(slice, { ...part, pagesLeft: pages * share })
        return share
      }
    },
  }
}
