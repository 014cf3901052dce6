import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { paths } from '../paths.ts'
import { failureText, identity } from './identity.ts'
import { signedInChannelName } from './signed-in-channel.ts'

/** The name under which the server registers its hosted identity provider. */
const provider = 'oidc'

export type HostedSignIn = { start: () => Promise<void>; isBusy: boolean; failure: string | null }

const notStarted = 'The sign-in could not be started. Please try again.'

/** Opens the hosted provider's page, which returns to `returnTo`, a path of ours. */
export function useHostedSignIn(returnTo: string): HostedSignIn {
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const start = async () => {
    setFailure(null)
    setBusy(true)
    const { error } = await identity.signIn.social({ provider, callbackURL: returnTo })
    if (error === null) return
    setBusy(false)
    setFailure(failureText(error, notStarted))
  }
  return { start, isBusy, failure }
}

/** Opens the hosted provider's page in its own window, so that the page behind it stays as it is. */
export function useHostedPopup(onSignedIn: () => Promise<void>): HostedSignIn {
  const popup = useRef<Window | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  // The message is only a hint; the server says who is signed in.
  const onHint = useEffectEvent(() => {
    popup.current?.close()
    setBusy(false)
    void onSignedIn()
  })
  useEffect(() => {
    const channel = new BroadcastChannel(signedInChannelName)
    channel.onmessage = () => onHint()
    return () => channel.close()
  }, [])
  const start = async () => {
    setFailure(null)
    // The window opens before anything is awaited, because a browser only lets a click open a window.
    popup.current = window.open('about:blank', 'tributary-sign-in', 'popup,width=800,height=600')
    if (popup.current === null) return setFailure('Please enable popups for this site to sign in.')
    setBusy(true)
    const { data, error } = await identity.signIn.social({
      provider,
      callbackURL: paths.signedIn,
      disableRedirect: true,
    })
    setBusy(false)
    if (data?.url) popup.current.location.href = data.url
    else {
      popup.current.close()
      setFailure(error === null ? notStarted : failureText(error, notStarted))
    }
  }
  return { start, isBusy, failure }
}
