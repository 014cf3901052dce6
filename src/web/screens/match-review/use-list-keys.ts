import { type RefObject, useRef } from 'react'
import type { Match } from '#contract/matches.ts'
import { accept, bestCandidate, ignore } from './decisions.ts'
import type { Decisions } from './use-decisions.ts'
import { useKeys } from './use-keys.ts'

/** The part of a row that gets the focus. */
type Part = 'customer' | 'accept'

type ListKeys = {
  within: RefObject<HTMLDivElement | null>
  rows: readonly Match[]
  decisions: Decisions
  onToggle: (match: Match) => void
  refetch: () => Promise<readonly Match[]>
}

/** The keys of a row that has the focus: J and K move, A accepts, I ignores, X selects. The next row gets the focus. */
export function useListKeys({ within, rows, decisions, onToggle, refetch }: ListKeys) {
  const isDeciding = useRef(false)
  const focus = (match: Match | undefined, part: Part) => {
    if (match === undefined) return
    const find = (name: Part) =>
      within.current?.querySelector<HTMLElement>(`[data-${name}="${CSS.escape(match.customerId)}"]`)
    ;(find(part) ?? find('customer'))?.focus()
  }
  const decide = async (match: Match, what: 'accept' | 'ignore', part: Part) => {
    if (isDeciding.current) return
    isDeciding.current = true
    try {
      const at = rows.indexOf(match)
      const isDone = await decisions.decide(what === 'accept' ? accept([match]) : ignore([match]))
      if (!isDone) return
      // The end of the page is filled by the server before it can get the focus.
      const next = rows[at + 1] ?? (await refetch())[at]
      requestAnimationFrame(() => focus(next, part))
    } finally {
      isDeciding.current = false
    }
  }
  useKeys(within, (key) => {
    const row = document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-customer]')
    const at = rows.findIndex(({ customerId }) => customerId === row?.dataset['customer'])
    const match = rows[at]
    if (match === undefined) return false
    const isWaiting = match.state === 'pending'
    if (key === 'j') focus(rows[at + 1], 'customer')
    else if (key === 'k') focus(rows[at - 1], 'customer')
    else if (key === 'x' && isWaiting) onToggle(match)
    else if (key === 'i' && isWaiting) void decide(match, 'ignore', 'customer')
    else if (key === 'a' && isWaiting && bestCandidate(match)) void decide(match, 'accept', 'customer')
    else return false
    return true
  })
  return { acceptRow: (match: Match) => void decide(match, 'accept', 'accept') }
}
