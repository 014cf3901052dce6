import { useState } from 'react'
import { connectStripe } from '#contract/connections.ts'
import { isOrganizationKey } from '#domain/payment-key.ts'
import { ApiError, call, serverText } from '../client.ts'
import { useKeyReader } from './organization-owners.ts'

/** The server sends this same text when there is nothing to add, such as a permission that the key lacks. */
const title = 'Connected to Stripe'

type TypedKey = { apiKey: string; account?: string }

type Telling = {
  /** Stripe accepted the key; `said` is the text for a toast. */
  onConnected: (said: { title: string; description: string | undefined }) => Promise<void>
  onFailed: (error: unknown) => void
}

/**
 * Checks and saves a typed key. It accepts a key of another account only after the person agrees to delete the
 * imported data.
 */
export function useConnectStripe({ onConnected, onFailed }: Telling) {
  const keyReader = useKeyReader()
  const [apiKey, setApiKey] = useState('')
  const [account, setAccount] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [asked, setAsked] = useState<{ key: TypedKey; question: string } | null>(null)
  const needsAccount = isOrganizationKey(apiKey.trim())
  const refused = (error: unknown) => {
    setProblem(serverText(error, 'Failed to connect to Stripe. Please check your API key.'))
    onFailed(error)
  }
  const connect = async (key: TypedKey, resetData: boolean) => {
    setBusy(true)
    setProblem(null)
    try {
      const { connected, message } = await call(connectStripe, { body: { ...key, resetData } })
      setAsked(null)
      if (connected) {
        setApiKey('')
        setAccount('')
        await onConnected({ title, description: message === title ? undefined : message })
      } else refused(new ApiError(200, message))
    } catch (error) {
      const isOther = error instanceof ApiError && error.code === 'other_account'
      setAsked(isOther ? { key, question: error.text } : null)
      if (!isOther) refused(error)
    }
    setBusy(false)
  }
  return {
    apiKey,
    type: (key: string) => {
      setProblem(null)
      setApiKey(key)
    },
    /** The account that an organization's key is to read; null where the key needs none. */
    account: needsAccount ? account : null,
    typeAccount: setAccount,
    keyReader,
    submit: () => connect({ apiKey: apiKey.trim(), ...(needsAccount && { account: account.trim() }) }, false),
    isBusy,
    /** Says why the key belongs to another account than the imported data; null when there is nothing to decide. */
    question: asked?.question ?? null,
    /** Deletes the imported data and connects the other account. */
    reset: async () => {
      if (asked) await connect(asked.key, true)
    },
    keep: () => setAsked(null),
    problem,
    refuse: setProblem,
  }
}
