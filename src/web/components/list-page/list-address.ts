import { useLocation } from 'react-router'

/** The state that a link passes from a list to a record: the list's address with its filter, order and page. */
export function useListAddress(): { from: string } {
  const { pathname, search } = useLocation()
  return { from: `${pathname}${search}` }
}

/**
 * Returns the address of the list at `path` that this record was opened from, or of the whole list when it was not
 * opened from one.
 */
export function useBackTo(path: string): string {
  const state: unknown = useLocation().state
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null
  return typeof from === 'string' && from.startsWith(`${path}?`) ? from : path
}
