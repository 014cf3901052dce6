import { useLocation, useNavigate } from 'react-router'

/** What a link from a list to a record hands over: the list as it stood, with filter, order and page. */
export function useListAddress(): { from: string } {
  const { pathname, search } = useLocation()
  return { from: `${pathname}${search}` }
}

/** Opens a record, so that its Back button leads to the list as it stood. */
export function useOpenRecord(): (to: string) => void {
  const navigate = useNavigate()
  const state = useListAddress()
  return (to) => void navigate(to, { state })
}

/** The list at `path` as it stood when this record was opened from it; the whole list where it was not. */
export function useBackTo(path: string): string {
  const state: unknown = useLocation().state
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null
  return typeof from === 'string' && from.startsWith(`${path}?`) ? from : path
}
