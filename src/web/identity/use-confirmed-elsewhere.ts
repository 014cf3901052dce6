import { useEffect, useEffectEvent } from 'react'
import { getCurrentUser } from '#contract/account.ts'
import { call } from '../client.ts'

/**
 * Notices, while a page waits for the link of a mail to be opened, that another tab has opened it and is signed in:
 * it looks each time a person comes back to the page.
 */
export function useConfirmedElsewhere(isWaiting: boolean, onSignedIn: () => Promise<void>): void {
  const goOn = useEffectEvent(onSignedIn)
  useEffect(() => {
    if (!isWaiting) return undefined
    let isLooking = false
    const look = () => {
      // Coming back to a tab may tell both of its events.
      if (isLooking || document.visibilityState === 'hidden') return
      isLooking = true
      void call(getCurrentUser, { send: fetch })
        .then(
          () => goOn(),
          // Nobody is signed in yet, or the network fails. The next look may find otherwise.
          () => undefined,
        )
        .finally(() => {
          isLooking = false
        })
    }
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [isWaiting])
}
