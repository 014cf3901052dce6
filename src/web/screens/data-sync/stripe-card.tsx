import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { disconnectStripe } from '#contract/connections.ts'
import { ConnectionCard } from '../../components/connection-card.tsx'
import { ManagersNote } from '../../components/managers-note.tsx'
import type { ConnectionStatus } from '../../queries/connection-status.ts'
import { useIsManager } from '../../queries/session.ts'
import { DisconnectButton } from './disconnect-button.tsx'
import { FreshnessText } from './freshness-text.tsx'
import { maskedKey } from './stripe-key.ts'
import { StripeKeyForm } from './stripe-key-form.tsx'
import { WebhookSection } from './webhook-section.tsx'

type StripeCardProps = { connection: ConnectionStatus['stripe']; isBusy: boolean }

export function StripeCard({ connection, isBusy }: StripeCardProps) {
  const isConnected = connection.dbConnected
  const isManager = useIsManager()
  return (
    <ConnectionCard name="Stripe" isConnected={isConnected}>
      {isConnected ? (
        <Connected connection={connection} isBusy={isBusy} />
      ) : isManager ? (
        <StripeKeyForm submitLabel="Connect Stripe" isDisabled={isBusy} />
      ) : (
        <ManagersNote what="connect Stripe" />
      )}
    </ConnectionCard>
  )
}

function Connected({ connection, isBusy }: StripeCardProps) {
  const [isChanging, setChanging] = useState(false)
  const isManager = useIsManager()
  const { missingOptionalPermissions: missing } = connection
  return (
    <>
      {connection.accountId === null ? null : <Text size="sm">Account {connection.accountId}</Text>}
      {connection.apiKeyFirstChars === null ? null : (
        <Text size="sm">API key {maskedKey(connection.apiKeyFirstChars)}</Text>
      )}
      {connection.warning === null ? null : (
        <Alert color="yellow" title="Key needs attention">
          {connection.warning}
        </Alert>
      )}
      {missing.length === 0 ? null : (
        <Text size="sm" c="dimmed">
          The key lacks read permission for: {missing.join(', ')}.
        </Text>
      )}
      <FreshnessText />
      {!isManager ? (
        <ManagersNote what="change the key or disconnect Stripe" />
      ) : isChanging ? (
        <StripeKeyForm
          submitLabel="Update API Key"
          isDisabled={isBusy}
          onConnected={() => setChanging(false)}
          onCancel={() => setChanging(false)}
        />
      ) : (
        <Group>
          <Button variant="default" disabled={isBusy} onClick={() => setChanging(true)}>
            Change API Key
          </Button>
          <DisconnectButton
            name="Stripe"
            question="Are you sure you want to disconnect from Stripe? This will reset your Stripe integration."
            endpoint={disconnectStripe}
            isDisabled={isBusy}
          />
        </Group>
      )}
      <WebhookSection />
    </>
  )
}
