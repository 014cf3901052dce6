import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { connectStripe, disconnectStripe } from '#contract/connections.ts'
import { call, serverText } from '../../client.ts'
import { ConnectionCard } from '../../components/connection-card.tsx'
import type { ConnectionStatus } from '../../queries/connection-status.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { useToast } from '../../ui/toast.tsx'
import { DisconnectButton } from './disconnect-button.tsx'
import { keyProblem, maskedKey } from './stripe-key.ts'

type StripeCardProps = { connection: ConnectionStatus['stripe']; isPending: boolean; isBusy: boolean }

export function StripeCard({ connection, isPending, isBusy }: StripeCardProps) {
  const isConnected = connection.dbConnected
  return (
    <ConnectionCard name="Stripe" isConnected={isConnected} isPending={isPending}>
      {isConnected ? (
        <>
          {connection.accountId === null ? null : <Text size="sm">Account {connection.accountId}</Text>}
          {connection.apiKeyFirstChars === null ? null : (
            <Text size="sm">API key {maskedKey(connection.apiKeyFirstChars)}</Text>
          )}
          <Group>
            <DisconnectButton
              name="Stripe"
              question="Are you sure you want to disconnect from Stripe? This will reset your Stripe integration."
              endpoint={disconnectStripe}
              isDisabled={isBusy}
            />
          </Group>
        </>
      ) : (
        <ConnectStripe isDisabled={isBusy || isPending} />
      )}
    </ConnectionCard>
  )
}

function ConnectStripe({ isDisabled }: { isDisabled: boolean }) {
  const toast = useToast()
  const refreshRecords = useRefreshRecords()
  const [apiKey, setApiKey] = useState('')
  const [isSaving, setSaving] = useState(false)
  const connect = async (event: FormEvent) => {
    event.preventDefault()
    const problem = keyProblem(apiKey)
    if (problem !== null) return toast({ ...problem, isError: true })
    setSaving(true)
    try {
      const answer = await call(connectStripe, { body: { apiKey: apiKey.trim() } })
      if (answer.connected) {
        setApiKey('')
        toast({ title: 'Connected to Stripe', description: answer.message })
        await refreshRecords()
      } else {
        toast({ title: 'Failed to connect to Stripe', description: answer.message, isError: true })
      }
    } catch (error) {
      const description = serverText(error, 'Failed to connect to Stripe. Please check your API key.')
      toast({ title: 'Failed to connect to Stripe', description, isError: true })
    }
    setSaving(false)
  }
  return (
    <form onSubmit={(event) => void connect(event)}>
      <Stack gap="xs">
        <PasswordInput
          label="Stripe API Key"
          placeholder="sk_live_"
          description="The Secret key starting with sk_, or better a restricted key (rk_) that may only read."
          autoComplete="off"
          maxLength={1_000}
          value={apiKey}
          onChange={(event) => setApiKey(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={isSaving} disabled={isDisabled || apiKey.trim() === ''}>
            Connect Stripe
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
