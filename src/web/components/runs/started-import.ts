const key = 'tributary.started-import'

/**
 * Remembers which import this screen started. The tab keeps it, so that leaving the screen and coming back does not
 * lose it.
 */
export const startedImport = {
  note: (id: string): void => sessionStorage.setItem(key, id),
  is: (id: string): boolean => sessionStorage.getItem(key) === id,
}
