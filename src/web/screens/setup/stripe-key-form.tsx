import { Anchor, Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { getConnectionStatus, verifyStripe } from '#contract/connections.ts'
import { ApiError, endpointKey } from '../../client.ts'
import { OtherAccountDialog } from '../../components/other-account-dialog.tsx'
import { useConnectStripe } from '../../queries/connect-stripe.ts'
import { useKeyReader } from '../../queries/organization-owners.ts'
import { useAbout, useRefreshProgress } from '../../queries/session.ts'
import { useToast } from '../../ui/toast.tsx'

/** The server says the same where there is nothing to add, as of a permission that the key lacks. */
const title = 'Connected to Stripe'

type StripeKeyFormProps = { submitLabel: string; onConnected?: () => void }

/** Takes a Stripe key, has it checked and kept. */
export function StripeKeyForm({ submitLabel, onConnected }: StripeKeyFormProps) {
  const { data: about } = useAbout()
  const toast = useToast()
  const client = useQueryClient()
  const refreshProgress = useRefreshProgress()
  const [apiKey, setApiKey] = useState('')
  const keyReader = useKeyReader()
  const connecting = useConnectStripe({
    onConnected: async (message) => {
      await client.invalidateQueries({ queryKey: endpointKey(verifyStripe) })
      await client.invalidateQueries({ queryKey: endpointKey(getConnectionStatus) })
      await refreshProgress()
      toast({ title, description: message === title ? undefined : message })
      setApiKey('')
      onConnected?.()
    },
    onFailed: (error) => toast({ ...connectionFailure(error), isError: true }),
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (apiKey.trim() !== '') return void connecting.submit(apiKey)
    const description = 'Please enter your Stripe secret API key.'
    toast({ title: 'API Key Required', description, isError: true })
  }
  const demoKey = about?.demoStripeKey ?? null
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <PasswordInput
          label="Stripe API Key"
          placeholder="sk_live_"
          description="Use the Secret key starting with sk_, or better a restricted key (rk_) that may only read."
          autoComplete="off"
          maxLength={1_000}
          value={apiKey}
          onChange={(event) => setApiKey(event.currentTarget.value)}
          onKeyDown={(event) => {
            // The button is disabled without a key, and a browser then sends no form.
            if (event.key === 'Enter' && apiKey.trim() === '') submit(event)
          }}
        />
        {keyReader === null ? null : (
          <Text size="sm" c="dimmed">
            {keyReader}
          </Text>
        )}
        <Group>
          <Button type="submit" loading={connecting.isBusy} disabled={apiKey.trim() === ''}>
            {submitLabel}
          </Button>
          {demoKey === null ? null : (
            <Anchor component="button" type="button" size="sm" onClick={() => setApiKey(demoKey)}>
              Use the demo key
            </Anchor>
          )}
        </Group>
      </Stack>
      <OtherAccountDialog
        question={connecting.question}
        isBusy={connecting.isBusy}
        onReset={() => void connecting.reset()}
        onKeep={connecting.keep}
      />
    </form>
  )
}

function connectionFailure(error: unknown): { title: string; description: string } {
  if (error instanceof ApiError && error.status !== 500) {
    const description = error.text || 'Failed to connect to Stripe. Please check your API key.'
    return { title: 'Connection Failed', description }
  }
  const description = 'An error occurred while connecting to Stripe. Please check your API key.'
  return { title: 'Connection Error', description }
}
