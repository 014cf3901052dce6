import { useSearchParams } from 'react-router'
import {
  changeListState,
  type ListSpec,
  type ListState,
  readListState,
  writeListState,
} from './list-state.ts'

export type ListControls = {
  state: ListState
  change: (change: Partial<ListState>, history?: 'push' | 'replace') => void
}

/** The state of a list, kept in the address so that it survives reload, back and a shared link. */
export function useListState(spec: ListSpec): ListControls {
  const [params, setParams] = useSearchParams()
  const state = readListState(params, spec)
  const change: ListControls['change'] = (changed, history = 'push') =>
    setParams(writeListState(changeListState(state, changed), spec), { replace: history === 'replace' })
  return { state, change }
}
