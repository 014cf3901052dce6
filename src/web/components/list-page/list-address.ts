import { type Location, useLocation } from 'react-router'
import { listOf, paths, titleOf } from '../../paths.ts'

/** What a link passes on: the address that it starts from, where that was scrolled to, and from where it was opened. */
export type Origin = { from: string; place: string; before?: Origin | undefined }

/** What a link back passes on: from where its page was opened, and the place of scrolling to return to. */
type Return = Partial<Origin> & { returnsTo: string }

/** Names what a place of scrolling belongs to: a visit of a page, which a link back to it continues. */
export function placeOf({ key, state }: Location): string {
  const isReturn = typeof state === 'object' && state !== null && 'returnsTo' in state
  return isReturn && typeof state.returnsTo === 'string' ? state.returnsTo : key
}

/** Nobody goes back further, and the browser keeps each step with all before it. */
const stepsMax = 10

/** The way of a link from here: this address with its filter, order and page, and the way to it. */
export function useListAddress(): Origin {
  const location = useLocation()
  const here = { from: `${location.pathname}${location.search}`, place: placeOf(location) }
  const before = originOf(location.state, stepsMax - 1)
  return before === undefined ? here : { ...here, before }
}

/** The screens whose rows open records. */
const lists: readonly string[] = [
  paths.dashboard,
  paths.subscriptions,
  paths.events,
  paths.customers,
  paths.syncHealth,
]

/** The list or record that this record was opened from, and the way to it; the list at `path` if it was opened from none. */
export function useBackTo(path: string): { to: string; title: string; state: Return | undefined } {
  const origin = originOf(useLocation().state, stepsMax)
  const [place = ''] = origin?.from.split('?') ?? []
  const isKnown = place === path || lists.includes(place) || listOf(place) !== undefined
  return origin !== undefined && isKnown
    ? { to: origin.from, title: titleOf(place), state: { ...origin.before, returnsTo: origin.place } }
    : { to: path, title: titleOf(path), state: undefined }
}

/** Reads at most `steps` steps from what the browser kept, which another version may have written. */
function originOf(state: unknown, steps: number): Origin | undefined {
  if (steps === 0 || typeof state !== 'object' || state === null) return undefined
  if (!('from' in state) || typeof state.from !== 'string') return undefined
  const place = 'place' in state && typeof state.place === 'string' ? state.place : ''
  return {
    from: state.from,
    place,
    before: 'before' in state ? originOf(state.before, steps - 1) : undefined,
  }
}
