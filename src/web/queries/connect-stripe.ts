import { useState } from 'react'
import { connectStripe } from '#contract/connections.ts'
import { ApiError, call } from '../client.ts'

type Telling = {
  /** Stripe took the key; with what the server says. */
  onConnected: (message: string) => Promise<void> | void
  onFailed: (error: unknown) => void
}

export type StripeConnecting = {
  submit: (apiKey: string) => Promise<void>
  isBusy: boolean
  /** Why the key is of another account than the imported data; null while nothing is to be decided. */
  question: string | null
  /** Deletes what was imported and connects the other account. */
  reset: () => Promise<void>
  keep: () => void
}

/** Has a key checked and kept; a key of another account is taken only once the imported data may go. */
export function useConnectStripe({ onConnected, onFailed }: Telling): StripeConnecting {
  const [isBusy, setBusy] = useState(false)
  const [asked, setAsked] = useState<{ apiKey: string; question: string } | null>(null)
  const connect = async (apiKey: string, resetData: boolean) => {
    setBusy(true)
    try {
      const { connected, message } = await call(connectStripe, { body: { apiKey, resetData } })
      setAsked(null)
      if (connected) await onConnected(message)
      else onFailed(new ApiError(200, message))
    } catch (error) {
      const isOther = error instanceof ApiError && error.code === 'other_account'
      setAsked(isOther ? { apiKey, question: error.text } : null)
      if (!isOther) onFailed(error)
    }
    setBusy(false)
  }
  return {
    submit: (apiKey) => connect(apiKey.trim(), false),
    isBusy,
    question: asked?.question ?? null,
    reset: async () => {
      if (asked) await connect(asked.apiKey, true)
    },
    keep: () => setAsked(null),
  }
}
