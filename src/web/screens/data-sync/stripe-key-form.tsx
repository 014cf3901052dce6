import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type SyntheticEvent, useState } from 'react'
import { serverText } from '../../client.ts'
import { OtherAccountDialog } from '../../components/other-account-dialog.tsx'
import { useConnectStripe } from '../../queries/connect-stripe.ts'
import { useKeyReader } from '../../queries/organization-owners.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { useToast } from '../../ui/toast.tsx'
import { keyProblem } from './stripe-key.ts'

/** The server says the same where there is nothing to add, as of a permission that the key lacks. */
const title = 'Connected to Stripe'

type StripeKeyFormProps = {
  submitLabel: string
  isDisabled: boolean
  onConnected?: () => void
  /** Gives the change up; without it there is nothing to go back to. */
  onCancel?: () => void
}

/** Takes the key of a first connection or of a changed one. */
export function StripeKeyForm({ submitLabel, isDisabled, onConnected, onCancel }: StripeKeyFormProps) {
  const toast = useToast()
  const refreshRecords = useRefreshRecords()
  const [apiKey, setApiKey] = useState('')
  const keyReader = useKeyReader()
  const connecting = useConnectStripe({
    onConnected: async (message) => {
      setApiKey('')
      toast({ title, description: message === title ? undefined : message })
      await refreshRecords()
      onConnected?.()
    },
    onFailed: (error) => {
      const description = serverText(error, 'Failed to connect to Stripe. Please check your API key.')
      toast({ title: 'Failed to connect to Stripe', description, isError: true })
    },
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const problem = keyProblem(apiKey)
    if (problem !== null) return toast({ ...problem, isError: true })
    void connecting.submit(apiKey)
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <PasswordInput
          label="Stripe API Key"
          placeholder="sk_live_"
          description="The Secret key starting with sk_, or better a restricted key (rk_) that may only read."
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
          <Button type="submit" loading={connecting.isBusy} disabled={isDisabled || apiKey.trim() === ''}>
            {submitLabel}
          </Button>
          {onCancel === undefined ? null : (
            <Button variant="default" disabled={connecting.isBusy} onClick={onCancel}>
              Cancel
            </Button>
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
