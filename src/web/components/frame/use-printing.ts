import { useSyncExternalStore } from 'react'

const paper = () => window.matchMedia('print')

function watch(notify: () => void): () => void {
  const query = paper()
  query.addEventListener('change', notify)
  return () => query.removeEventListener('change', notify)
}

/** Says whether the page is on its way to paper, for what styles alone cannot rearrange. It changes before the print is laid out. */
export function usePrinting(): boolean {
  return useSyncExternalStore(watch, () => paper().matches)
}
