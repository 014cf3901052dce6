const key = 'tributary.started-import'

/** Which import was started on this screen: in this tab it is known even where the screen is left and found again. */
export const startedImport = {
  note: (id: string): void => sessionStorage.setItem(key, id),
  is: (id: string): boolean => sessionStorage.getItem(key) === id,
}
