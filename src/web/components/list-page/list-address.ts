import { useLocation } from 'react-router'
import { listOf, paths, titleOf } from '../../paths.ts'

/** What a link passes on: the address that it starts from, and from where that was opened. */
export type Origin = { from: string; before?: Origin | undefined }

/** Longer ways are nobody's, and the browser keeps each step with all before it. */
const stepsMax = 10

/** The way of a link from here: this address with its filter, order and page, and the way to it. */
export function useListAddress(): Origin {
  const { pathname, search, state } = useLocation()
  const from = `${pathname}${search}`
  const before = originOf(state, stepsMax - 1)
  return before === undefined ? { from } : { from, before }
}

/** The lists whose rows open records. */
const lists: readonly string[] = [paths.subscriptions, paths.events, paths.customers, paths.syncHealth]

/** The list or record that this record was opened from, and the way to it; the list at `path` if it was opened from none. */
export function useBackTo(path: string): { to: string; title: string; state: Origin | undefined } {
  const origin = originOf(useLocation().state, stepsMax)
  const [place = ''] = origin?.from.split('?') ?? []
  const isKnown = place === path || lists.includes(place) || listOf(place) !== undefined
  return origin !== undefined && isKnown
    ? { to: origin.from, title: titleOf(place), state: origin.before }
    : { to: path, title: titleOf(path), state: undefined }
}

/** Reads at most so many steps from what the browser kept, which another version may have written. */
function originOf(state: unknown, steps: number): Origin | undefined {
  if (steps === 0 || typeof state !== 'object' || state === null) return undefined
  if (!('from' in state) || typeof state.from !== 'string') return undefined
  return { from: state.from, before: 'before' in state ? originOf(state.before, steps - 1) : undefined }
}
