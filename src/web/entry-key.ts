/**
 * Gives each entry of the browser's history a key of its own, which a reload keeps. The router calls all entries that it
 * did not make 'default', so an address that is typed again would open where it was last scrolled to.
 */
export function keepEntryKeys(): void {
  const give = () => {
    const state: unknown = window.history.state
    const known = typeof state === 'object' && state !== null ? state : {}
    if (!('key' in known))
      window.history.replaceState({ ...known, key: Math.random().toString(36).slice(2) }, '')
  }
  give()
  window.addEventListener('popstate', give)
}
