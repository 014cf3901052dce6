import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'react-router'

/** Calls `act` when another screen has been opened, by a link, a key or the browser, so that nothing stays open over it. */
export function useAfterNavigation(act: () => void): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  const run = useEffectEvent(act)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    run()
  }, [pathname])
}
