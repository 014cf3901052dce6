import { useEffect, useEffectEvent, useState } from 'react'
import { useRouteError } from 'react-router'
import { getAbout } from '#contract/account.ts'
import { call } from '../client.ts'
import { StartButton } from '../ui/buttons/start-button.tsx'
import { MessagePage } from '../ui/message-page.tsx'
import { useOnline } from '../ui/online.ts'
import { logProblem } from '../ui/problems/log-problem.ts'

/** Replaces a screen that broke, so that the rest of the app stays usable. */
export function ErrorPage() {
  const error = useRouteError()
  const isOnline = useOnline()
  const { reload, isAway, isAsking } = useSafeReload()
  useEffect(() => logProblem('A screen broke', error), [error])
  const [wasOffline] = useState(!isOnline)
  const retry = useEffectEvent(() => void reload())
  // A screen that could not be loaded offline is loaded by itself once the connection is back.
  useEffect(() => {
    if (wasOffline && isOnline) retry()
  }, [wasOffline, isOnline])
  const isCutOff = isAway || wasOffline || !isOnline
  return (
    <MessagePage
      title={isCutOff ? 'You are offline' : 'Something went wrong'}
      text={
        isCutOff
          ? 'This screen has not been loaded yet, and the server cannot be reached. Screens that you have opened before still work. Connect, then try again.'
          : "This screen could not be shown. Reload the page. If you're offline, reconnect first."
      }
    >
      <StartButton isBusy={isAsking} onClick={() => void reload()}>
        {isCutOff ? 'Try again' : 'Reload'}
      </StartButton>
    </MessagePage>
  )
}

/** Reloads only if the server answers, because a reload without it would show no app at all. */
function useSafeReload() {
  const [state, setState] = useState<'idle' | 'asking' | 'away'>('idle')
  const reload = async () => {
    setState('asking')
    try {
      await call(getAbout)
      window.location.reload()
    } catch (error) {
      logProblem('The server cannot be reached', error)
      setState('away')
    }
  }
  return { reload, isAway: state === 'away', isAsking: state === 'asking' }
}
