// Gives the page the theme and density that this browser keeps, before anything is painted. The app itself loads later,
// and a page that changes its colors then would flash. `components/frame/preferences.ts` and the library's provider name the keys.
;(() => {
  const root = document.documentElement
  const kept = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const theme = kept('mantine-color-scheme-value')
  const isDark = theme === 'light' || theme === 'dark' ? theme === 'dark' : isSystemDark()
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
  if (kept('density') === 'compact') root.setAttribute('data-density', 'compact')

  function isSystemDark() {
    return matchMedia('(prefers-color-scheme: dark)').matches
  }
})()
