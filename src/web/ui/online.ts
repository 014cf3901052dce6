import { useSyncExternalStore } from 'react'

function watch(notify: () => void): () => void {
  window.addEventListener('online', notify)
  window.addEventListener('offline', notify)
  return () => {
    window.removeEventListener('online', notify)
    window.removeEventListener('offline', notify)
  }
}

/** Says whether the browser has a network. It does not say whether the server answers. */
export function useOnline(): boolean {
  return useSyncExternalStore(watch, () => navigator.onLine)
}
