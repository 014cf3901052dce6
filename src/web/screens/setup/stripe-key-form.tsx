import { Anchor, Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { connectStripe, getConnectionStatus, verifyStripe } from '#contract/connections.ts'
import { ApiError, call, endpointKey } from '../../client.ts'
import { useAbout, useRefreshProgress } from '../../queries/session.ts'
import { useToast } from '../../ui/toast.tsx'

type StripeKeyFormProps = { submitLabel: string; onConnected?: () => void }

/** Takes a Stripe key, has it checked and kept. */
export function StripeKeyForm({ submitLabel, onConnected }: StripeKeyFormProps) {
  const { data: about } = useAbout()
  const toast = useToast()
  const connect = useConnectStripe()
  const [apiKey, setApiKey] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (apiKey.trim() === '') {
      toast({
        title: 'API Key Required',
        description: 'Please enter your Stripe secret API key.',
        isError: true,
      })
      return
    }
    setBusy(true)
    const isConnected = await connect(apiKey.trim())
    setBusy(false)
    if (!isConnected) return
    setApiKey('')
    onConnected?.()
  }
  const demoKey = about?.demoStripeKey ?? null
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="xs">
        <PasswordInput
          label="Stripe API Key"
          placeholder="sk_live_"
          description="Use the Secret key starting with sk_, or better a restricted key (rk_) that may only read."
          autoComplete="off"
          maxLength={1_000}
          value={apiKey}
          onChange={(event) => setApiKey(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={isBusy} disabled={apiKey.trim() === ''}>
            {submitLabel}
          </Button>
          {demoKey === null ? null : (
            <Anchor component="button" type="button" size="sm" onClick={() => setApiKey(demoKey)}>
              Use the demo key
            </Anchor>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** Resolves to whether Stripe took the key; says why when it did not. */
function useConnectStripe(): (apiKey: string) => Promise<boolean> {
  const toast = useToast()
  const client = useQueryClient()
  const refreshProgress = useRefreshProgress()
  const failed = (description: string) => toast({ title: 'Connection Failed', description, isError: true })
  return async (apiKey) => {
    try {
      const answer = await call(connectStripe, { body: { apiKey } })
      if (!answer.connected) {
        failed(answer.message || 'Failed to connect to Stripe. Please check your API key.')
        return false
      }
      await client.invalidateQueries({ queryKey: endpointKey(verifyStripe) })
      await client.invalidateQueries({ queryKey: endpointKey(getConnectionStatus) })
      await refreshProgress()
      toast({ title: 'Connected to Stripe', description: answer.message })
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status !== 500) failed(error.text)
      else {
        const description = 'An error occurred while connecting to Stripe. Please check your API key.'
        toast({ title: 'Connection Error', description, isError: true })
      }
      return false
    }
  }
}
