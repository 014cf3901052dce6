import { useLocation } from 'react-router'
import { paths, titleOf } from '../../paths.ts'

/** The state that a link passes from a list to a record: the list's address with its filter, order and page. */
export function useListAddress(): { from: string } {
  const { pathname, search } = useLocation()
  return { from: `${pathname}${search}` }
}

/** The lists whose rows open records. */
const lists: readonly string[] = [paths.subscriptions, paths.events, paths.customers, paths.syncHealth]

/** The list that this record was opened from, with its filter; the whole list at `path` if it was opened from none. */
export function useBackTo(path: string): { to: string; title: string } {
  const state: unknown = useLocation().state
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null
  const [list = ''] = typeof from === 'string' ? from.split('?') : []
  return typeof from === 'string' && (list === path || lists.includes(list))
    ? { to: from, title: titleOf(list) }
    : { to: path, title: titleOf(path) }
}
