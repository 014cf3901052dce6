import { useSyncExternalStore } from 'react'

function watch(notify: () => void): () => void {
  window.addEventListener('online', notify)
  window.addEventListener('offline', notify)
  return () => {
    window.removeEventListener('online', notify)
    window.removeEventListener('offline', notify)
  }
}

/** Whether the browser has a network at all; that the server answers over it is not said. */
export function useOnline(): boolean {
  return useSyncExternalStore(watch, () => navigator.onLine)
}
