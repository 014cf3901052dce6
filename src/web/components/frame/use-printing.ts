import { useSyncExternalStore } from 'react'

const paper = () => window.matchMedia('print')

/** Whether a print is being made. A browser says so before it counts the pages, and changes the medium after. */
let isPrinting = false

function watch(notify: () => void): () => void {
  const query = paper()
  const begin = () => {
    isPrinting = true
    notify()
  }
  const end = () => {
    isPrinting = false
    notify()
  }
  query.addEventListener('change', notify)
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  return () => {
    query.removeEventListener('change', notify)
    window.removeEventListener('beforeprint', begin)
    window.removeEventListener('afterprint', end)
  }
}

/**
 * Says whether the page is on its way to paper, for what styles alone cannot rearrange. It changes before the pages are
 * counted: rows that came later would have none.
 */
export function usePrinting(): boolean {
  return useSyncExternalStore(watch, () => isPrinting || paper().matches)
}
