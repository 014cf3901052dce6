import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Match } from '#contract/matches.ts'

/** Returns what an undo calls: the row that comes back gets the focus, unless the person acts before it is there. */
export function useReturnedFocus(
  within: RefObject<HTMLElement | null>,
  rows: readonly Match[] | undefined,
): () => void {
  const shown = useRef<ReadonlySet<string>>(new Set())
  const before = useRef<ReadonlySet<string> | null>(null)
  useLayoutEffect(() => {
    if (rows === undefined) return
    const known = before.current
    const back = known === null ? undefined : rows.find(({ customerId }) => !known.has(customerId))
    shown.current = new Set(rows.map(({ customerId }) => customerId))
    if (back === undefined) return
    before.current = null
    within.current?.querySelector<HTMLElement>(`[data-customer="${CSS.escape(back.customerId)}"]`)?.focus()
  }, [within, rows])
  return () => {
    before.current = shown.current
    const goOn = () => {
      before.current = null
    }
    for (const act of ['keydown', 'pointerdown'])
      document.addEventListener(act, goOn, { once: true, capture: true })
  }
}
