import { useEffect, useEffectEvent } from 'react'

/** Looks each time a person comes back to the page, for what another tab may have done. One look runs at a time. */
export function useComingBack(isOn: boolean, look: () => Promise<unknown>): void {
  const onReturn = useEffectEvent(look)
  useEffect(() => {
    if (!isOn) return undefined
    let isLooking = false
    const lookOnce = async () => {
      // Coming back to a tab may tell both of its events.
      if (isLooking || document.visibilityState === 'hidden') return
      isLooking = true
      try {
        await onReturn()
      } catch {
        // Nobody is signed in yet, or the network fails. The next look may find otherwise.
      } finally {
        isLooking = false
      }
    }
    const lookNow = () => void lookOnce()
    window.addEventListener('focus', lookNow)
    document.addEventListener('visibilitychange', lookNow)
    return () => {
      window.removeEventListener('focus', lookNow)
      document.removeEventListener('visibilitychange', lookNow)
    }
  }, [isOn])
}
