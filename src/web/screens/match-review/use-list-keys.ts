import type { RefObject } from 'react'
import type { Match } from '#contract/matches.ts'
import { useKeys, usePageKeys } from '../../components/frame/use-keys.ts'
import { accept, bestCandidate, ignore } from './decisions.ts'
import type { Decisions } from './use-decisions.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import type { ReviewPlace } from './use-review-place.ts'

type ListKeys = {
  within: RefObject<HTMLDivElement | null>
  rows: readonly Match[] | undefined
  decisions: Decisions
  onToggle: (match: Match) => void
  place: Pick<ReviewPlace, 'match' | 'open'>
}

/**
 * The keys of a row with the focus: J and K move, A accepts or opens, I ignores, X selects; the next row gets the focus.
 * Elsewhere on the page, U undoes, and the others lead to the first row.
 */
export function useListKeys({ within, rows, decisions, onToggle, place }: ListKeys) {
  useKeptFocus(within, rows, place.match !== null)
  const focus = (match: Match | undefined) => {
    if (match === undefined) return
    within.current?.querySelector<HTMLElement>(`[data-customer="${CSS.escape(match.customerId)}"]`)?.focus()
  }
  const decide = (match: Match, what: 'accept' | 'ignore') =>
    decisions.decide(what === 'accept' ? accept([match]) : ignore([match]))
  useKeys(within, (key) => {
    const row = document.activeElement?.closest('tr, li')?.querySelector<HTMLElement>('[data-customer]')
    const at = (rows ?? []).findIndex(({ customerId }) => customerId === row?.dataset['customer'])
    const match = rows?.[at]
    if (match === undefined) return false
    const isWaiting = match.state === 'pending'
    if (key === 'j') focus(rows?.[at + 1])
    else if (key === 'k') focus(rows?.[at - 1])
    else if (key === 'x' && isWaiting) onToggle(match)
    else if (key === 'i' && isWaiting) void decide(match, 'ignore')
    else if (key === 'a' && isWaiting && bestCandidate(match)) void decide(match, 'accept')
    else if (key === 'a' && isWaiting) place.open(match)
    else return false
    return true
  })
  // Who presses A before a row has the focus has not looked at one, so nothing is decided.
  usePageKeys((key) => {
    if (['j', 'a', 'i', 'x'].includes(key)) focus(rows?.[0])
    else if (key === 'u') void decisions.undoLast()
    else return false
    return true
  })
  return { acceptRow: (match: Match) => void decide(match, 'accept') }
}
