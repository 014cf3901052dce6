import { useEffect, useEffectEvent, useRef } from 'react'

/** Calls `act` the first time that `isDue` is true, and never again. */
export function useOnce(isDue: boolean, act: () => void): void {
  const wasDone = useRef(false)
  const actOnce = useEffectEvent(() => {
    if (wasDone.current) return
    wasDone.current = true
    act()
  })
  useEffect(() => {
    if (isDue) actOnce()
  }, [isDue])
}
