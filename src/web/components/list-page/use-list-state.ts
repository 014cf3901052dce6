import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { LeftOut } from '../address/left-out-note.tsx'
import {
  changeListState,
  type ListSpec,
  type ListState,
  leftOutOf,
  perPageChoices,
  perPageOf,
  readListState,
  writeListState,
} from './list-state.ts'

export type ListControls = {
  state: ListState
  /** What the list leaves out of the address; `forget` takes it away. */
  leftOut: LeftOut[]
  forget: () => void
  change: (change: Partial<ListState>, history?: 'push' | 'replace') => void
}

/**
 * Keeps the state of a list in the address, so that it survives a reload, Back and a shared link. The page size that a
 * person chose last is that of every list whose address names none.
 */
export function useListState(spec: ListSpec): ListControls {
  const [usualRows, keepRows] = useUsualRows()
  const [params, setParams] = useSearchParams()
  // The new address keeps the page that this screen was opened from.
  const opened: unknown = useLocation().state
  const state = readListState(params, spec, usualRows)
  // Two changes in a row, such as a page size and a search, may arrive before the first one is rendered.
  const latest = useRef(state)
  // Before any effect of the screen, which may change the state of this address.
  useLayoutEffect(() => {
    latest.current = readListState(params, spec, usualRows)
  }, [params, spec, usualRows])
  const change: ListControls['change'] = (changed, history = 'push') => {
    latest.current = changeListState(latest.current, changed)
    if (changed.perPage !== undefined) keepRows(perPageOf(changed.perPage))
    setParams(writeListState(latest.current, spec, params, usualRows), {
      replace: history === 'replace',
      state: opened,
    })
  }
  const forget = () => change({ page: state.page }, 'replace')
  return { state, leftOut: leftOutOf(params, spec), forget, change }
}

/** The page size that the person chose last in this browser. */
function useUsualRows() {
  return useLocalStorage({
    key: 'rows-per-page',
    defaultValue: perPageChoices[0],
    getInitialValueInEffect: false,
    serialize: String,
    deserialize: (text) => perPageOf(Number(text)),
  })
}

/** Goes to the last page when the list has become shorter than the page in the address. */
export function useLastPage(controls: ListControls, totalPages: number, isFetching: boolean): void {
  const { state, change } = controls
  useEffect(() => {
    // During loading, the count may belong to another list.
    if (!isFetching && totalPages > 0 && state.page > totalPages) change({ page: totalPages }, 'replace')
  })
}
