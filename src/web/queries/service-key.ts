import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  connectHubspotByKey,
  getConnectionStatus,
  getHubspotObjects,
  getHubspotWays,
} from '#contract/connections.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { call, endpointKey, serverText, useEndpoint } from '../client.ts'

export type HubspotWays = ResponseOf<typeof getHubspotWays>

/** Says how HubSpot can be connected here. Until that is known, the specified way by consent is shown. */
export function useHubspotWays(): {
  ways: HubspotWays | undefined
  hasApp: boolean
  appProblem: string | null
} {
  const { data: ways } = useEndpoint(getHubspotWays)
  return { ways, hasApp: ways?.hasApp ?? true, appProblem: ways?.appProblem ?? null }
}

/** A key on its way to the server. A refusal stays below the field until the text changes. */
export type TypedKey = ReturnType<typeof useTypedKey>

/** Keeps a typed key only until the server has accepted it. */
export function useTypedKey(send: (serviceKey: string) => Promise<void>) {
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  return {
    key,
    problem,
    isBusy,
    type: (text: string) => {
      setKey(text)
      setProblem(null)
    },
    submit: async () => {
      setBusy(true)
      setProblem(null)
      try {
        await send(key.trim())
        setKey('')
      } catch (error) {
        setProblem(serverText(error, 'HubSpot could not be reached. Please try again.'))
      }
      setBusy(false)
    },
  }
}

/** Connects HubSpot by a typed key, or replaces the key. `onConnected` receives the server's message. */
export function useConnectByKey(onConnected: (message: string) => Promise<void> | void): TypedKey {
  const client = useQueryClient()
  return useTypedKey(async (serviceKey) => {
    const { message } = await call(connectHubspotByKey, { body: { serviceKey } })
    await client.invalidateQueries({ queryKey: endpointKey(getConnectionStatus) })
    await client.invalidateQueries({ queryKey: endpointKey(getHubspotObjects) })
    await onConnected(message)
  })
}
