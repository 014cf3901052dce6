import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { getHubspotAuthUrl, verifyHubspot } from '#contract/connections.ts'
import { ApiError, call } from '../../../client.ts'
import { hubspotChannelName } from '../../../queries/hubspot-channel.ts'
import { useToast } from '../../../ui/toast.tsx'
import { verifyConnection } from './verify-connection.ts'

const popupFeatures = 'popup,width=800,height=600'
const closedCheckMs = 1_000

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

async function isHubspotConnected(): Promise<boolean> {
  return (await call(verifyHubspot)).connected
}

/** Runs `onTick` at a fixed interval while it is switched on. */
function useInterval(isOn: boolean, everyMs: number, onTick: () => void) {
  const tick = useEffectEvent(onTick)
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => tick(), everyMs)
    return () => clearInterval(timer)
  }, [isOn, everyMs])
}

type HubspotPopup = {
  connect: () => Promise<void>
  isBusy: boolean
  /** Says why the last try failed, until the next one. */
  failure: string | null
}

/** Opens HubSpot's consent in a popup, and verifies the connection once the popup has closed or reported. */
export function useHubspotPopup(onConnected: () => void): HubspotPopup {
  const toast = useToast()
  const popup = useRef<Window | null>(null)
  const isVerifying = useRef(false)
  const isVerified = useRef(false)
  const [phase, setPhase] = useState<'idle' | 'open' | 'verifying'>('idle')
  const [failure, setFailure] = useState<string | null>(null)

  const fail = (title: string, description: string) => {
    popup.current?.close()
    popup.current = null
    setPhase('idle')
    setFailure(description)
    toast({ title, description, isError: true })
  }

  const verify = async () => {
    // The closed popup and its message tell of the same consent.
    if (isVerifying.current || isVerified.current) return
    isVerifying.current = true
    setPhase('verifying')
    const isConnected = await verifyConnection(isHubspotConnected, sleep)
    isVerifying.current = false
    if (!isConnected) {
      fail(
        'Connection Failed',
        'Failed to connect to HubSpot. Please refresh the page to see if the connection was successful.',
      )
      return
    }
    isVerified.current = true
    popup.current?.close()
    popup.current = null
    setPhase('idle')
    setFailure(null)
    onConnected()
  }

  useInterval(phase === 'open', closedCheckMs, () => {
    if (popup.current?.closed) void verify()
  })

  // The message is only a hint, which the verification checks. It arrives even when the browser separates the popup
  // from us.
  const onHint = useEffectEvent(() => void verify())
  useEffect(() => {
    const channel = new BroadcastChannel(hubspotChannelName)
    channel.onmessage = () => onHint()
    return () => channel.close()
  }, [])

  const connect = async () => {
    setFailure(null)
    isVerified.current = false
    // The window opens before anything is awaited, because a browser only lets a click open a window.
    popup.current = window.open('about:blank', 'tributary-hubspot', popupFeatures)
    if (popup.current === null) {
      fail('Popup Blocked', 'Please enable popups for this site to connect with HubSpot.')
      return
    }
    try {
      const { authUrl } = await call(getHubspotAuthUrl, { query: { returnTo: 'popup' } })
      if (!/^https?:\/\//i.test(authUrl)) throw new ApiError(200, '')
      popup.current.location.href = authUrl
      setPhase('open')
    } catch (error) {
      if (error instanceof ApiError) {
        fail('Authorization Failed', 'Failed to generate HubSpot authorization URL.')
        return
      }
      fail('Connection Error', 'An error occurred while connecting to HubSpot.')
    }
  }

  return { connect, isBusy: phase !== 'idle', failure }
}
