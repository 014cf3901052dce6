import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Match } from '#contract/matches.ts'
import type { ReviewAsked } from '../../components/customers/unmatched.tsx'

type List = {
  rows: readonly Match[] | undefined
  /** Whether `rows` are still those of the page before. */
  isOld: boolean
  page: number
  perPage: number
  totalCount: number
  goTo: (page: number) => void
  refetch: () => Promise<{ matches: readonly Match[]; totalCount: number } | undefined>
}

/** The row of another page than `from` that the dialog waits for, and who waits with it. */
type Awaited = { from: number; end: 'first' | 'last'; onThere?: (() => void) | undefined }

export type ReviewPlace = {
  match: Match | null
  /** The place in the whole list, from 1; null if it has left the list. */
  position: number | null
  open: (match: Match | null) => void
  previous: (() => void) | undefined
  next: (() => void) | undefined
  /**
   * Opens the row after a decided one, else closes; a decided one that is still the last of the list stays open. After a
   * decision that `movesOthers`, the rows known before it may have left the list.
   */
  moveOn: (movesOthers?: boolean) => Promise<void>
}

/** Remembers which customer the dialog shows, as it was read, so that a decision is about what the person sees. */
export function useReviewPlace(list: List): ReviewPlace {
  const [match, setMatch] = useState<Match | null>(null)
  const [awaited, setAwaited] = useState<Awaited | null>(null)
  // Who opens another row or closes the dialog no longer waits for the next page.
  const open = (row: Match | null) => {
    setAwaited(null)
    setMatch(row)
  }
  useAsked(list.rows, open)
  const { rows = [], page, perPage, totalCount, isOld } = list
  useEffect(() => {
    if (awaited === null || awaited.from === page || isOld || list.rows === undefined) return
    setAwaited(null)
    setMatch((awaited.end === 'first' ? list.rows.at(0) : list.rows.at(-1)) ?? null)
    awaited.onThere?.()
  }, [awaited, page, isOld, list.rows])
  const at = rows.findIndex(({ customerId }) => customerId === match?.customerId)
  // Where one has left the list, the next has taken its place.
  const [lastAt, setLastAt] = useState(0)
  if (at >= 0 && at !== lastAt) setLastAt(at)
  const before = (page - 1) * perPage
  const turn = (end: Awaited['end'], onThere?: () => void) => {
    setAwaited({ from: page, end, onThere })
    list.goTo(end === 'last' ? page - 1 : page + 1)
  }
  const step = (to: number) => {
    const row = rows[to]
    if (row !== undefined) return () => open(row)
    const isBefore = to < 0
    const isThere = isBefore ? page > 1 : before + to < totalCount
    if (match === null || !isThere) return undefined
    return () => turn(isBefore ? 'last' : 'first')
  }
  return {
    match,
    position: at < 0 ? null : before + at + 1,
    open,
    previous: step(lastAt - 1),
    next: step(at < 0 ? lastAt : at + 1),
    moveOn: async (movesOthers = false) => {
      const following = at < 0 || movesOthers ? undefined : rows[at + 1]
      if (following !== undefined) return open(following)
      // At the end of a page, the rows that take the place of the decided ones come from the server.
      const { matches: now = [], totalCount: nowInAll = 0 } = (await list.refetch()) ?? {}
      const row = rowAfter(rows.slice(0, at + 1), now)
      const isEndOfPage =
        row !== null && row.customerId === match?.customerId && before + now.length < nowInAll
      if (!isEndOfPage) return open(row)
      return new Promise((onThere) => turn('first', onThere))
    },
  }
}

/**
 * The first row after all that were `passed`, the last of which is the decided one. If no row follows, the decided one
 * again, if it is still listed.
 */
function rowAfter(passed: readonly Match[], now: readonly Match[]): Match | null {
  const ids = passed.map(({ customerId }) => customerId)
  const last = now.findLastIndex(({ customerId }) => ids.includes(customerId))
  return now[last + 1] ?? now.find(({ customerId }) => customerId === ids.at(-1)) ?? null
}

/** Opens the customer that the person came for, once: neither a reload nor Back opens it again. */
function useAsked(rows: List['rows'], open: (match: Match) => void): void {
  const { state, ...address } = useLocation()
  const navigate = useNavigate()
  const asked = (state as Partial<ReviewAsked> | null)?.reviewed
  const isOpened = useRef(false)
  useEffect(() => {
    const match = rows?.find(({ customerId }) => customerId === asked)
    if (match === undefined || isOpened.current) return
    isOpened.current = true
    open(match)
    void navigate(address, { replace: true })
  })
}
