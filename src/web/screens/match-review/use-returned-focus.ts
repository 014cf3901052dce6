import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Match } from '#contract/matches.ts'
import type { ReviewPlace } from './use-review-place.ts'

/**
 * Returns what an undo calls: the row that comes back gets the focus, unless the person acts before it is there. Where the
 * dialog is open, it shows that customer again, because the list behind it cannot be reached.
 */
export function useReturnedFocus(
  within: RefObject<HTMLElement | null>,
  rows: readonly Match[] | undefined,
  place: Pick<ReviewPlace, 'match' | 'open'>,
): () => void {
  const shown = useRef<ReadonlySet<string>>(new Set())
  const before = useRef<ReadonlySet<string> | null>(null)
  const onBack = useEffectEvent((back: Match) => {
    if (place.match !== null) return place.open(back)
    within.current?.querySelector<HTMLElement>(`[data-customer="${CSS.escape(back.customerId)}"]`)?.focus()
  })
  useLayoutEffect(() => {
    if (rows === undefined) return
    const known = before.current
    const back = known === null ? undefined : rows.find(({ customerId }) => !known.has(customerId))
    shown.current = new Set(rows.map(({ customerId }) => customerId))
    if (back === undefined) return
    before.current = null
    onBack(back)
  }, [rows])
  return () => {
    before.current = shown.current
    const gone = new AbortController()
    const goOn = () => {
      before.current = null
      gone.abort()
    }
    for (const act of ['keydown', 'pointerdown'])
      document.addEventListener(act, goOn, { signal: gone.signal, capture: true })
  }
}
