import { useState } from 'react'
import { connectStripe } from '#contract/connections.ts'
import { ApiError, call } from '../client.ts'
import { useKeyReader } from './organization-owners.ts'

/** The server says the same where there is nothing to add, such as a permission that the key lacks. */
const title = 'Connected to Stripe'

type Telling = {
  /** Stripe took the key; receives what a toast says about it. */
  onConnected: (said: { title: string; description: string | undefined }) => Promise<void>
  onFailed: (error: unknown) => void
}

/** Has a typed key checked and kept. A key of another account is taken only once the imported data may go. */
export function useConnectStripe({ onConnected, onFailed }: Telling) {
  const keyReader = useKeyReader()
  const [apiKey, setApiKey] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [asked, setAsked] = useState<{ apiKey: string; question: string } | null>(null)
  const connect = async (key: string, resetData: boolean) => {
    setBusy(true)
    try {
      const { connected, message } = await call(connectStripe, { body: { apiKey: key, resetData } })
      setAsked(null)
      if (connected) {
        setApiKey('')
        await onConnected({ title, description: message === title ? undefined : message })
      } else onFailed(new ApiError(200, message))
    } catch (error) {
      const isOther = error instanceof ApiError && error.code === 'other_account'
      setAsked(isOther ? { apiKey: key, question: error.text } : null)
      if (!isOther) onFailed(error)
    }
    setBusy(false)
  }
  return {
    apiKey,
    type: setApiKey,
    keyReader,
    submit: () => connect(apiKey.trim(), false),
    isBusy,
    /** Why the key is of another account than the imported data; null while nothing is to be decided. */
    question: asked?.question ?? null,
    /** Deletes what was imported and connects the other account. */
    reset: async () => {
      if (asked) await connect(asked.apiKey, true)
    },
    keep: () => setAsked(null),
  }
}
