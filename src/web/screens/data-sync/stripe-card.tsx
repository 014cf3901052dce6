import { Alert, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { disconnectStripe } from '#contract/connections.ts'
import { serverText } from '../../client.ts'
import { ConnectionCard } from '../../components/connection-card.tsx'
import { ManagersNote } from '../../components/managers-note.tsx'
import { ModeBadge } from '../../components/stripe-key/mode-badge.tsx'
import { StripeKeyForm } from '../../components/stripe-key/stripe-key-form.tsx'
import { WritingKeyNote } from '../../components/stripe-key/writing-key-note.tsx'
import { useConnectStripe } from '../../queries/connect-stripe.ts'
import type { ConnectionStatus } from '../../queries/connection-status.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { useIsManager } from '../../queries/session.ts'
import { useStripeKeyGuide } from '../../queries/stripe-key-guide.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { DisconnectMenu } from './disconnect-menu.tsx'
import { FreshnessText } from './freshness-text.tsx'
import { keyProblem, maskedKey } from './stripe-key.ts'
import { WebhookSection } from './webhook-section.tsx'

type StripeCardProps = { connection: ConnectionStatus['stripe']; isBusy: boolean }

/** A key that lacks a permission is warned of too, and still accepted. */
const isRefused = ({ apiConnected }: StripeCardProps['connection']) => apiConnected === false

export function StripeCard({ connection, isBusy }: StripeCardProps) {
  const isConnected = connection.dbConnected
  const isManager = useIsManager()
  const menu = <DisconnectMenu name="Stripe" endpoint={disconnectStripe} isDisabled={isBusy} />
  return (
    <ConnectionCard
      name="Stripe"
      isConnected={isConnected}
      isRefused={isConnected && isRefused(connection)}
      menu={isConnected && isManager ? menu : null}
    >
      {isConnected ? (
        <Connected connection={connection} isBusy={isBusy} />
      ) : isManager ? (
        <ConnectStripe submitLabel="Connect Stripe" isDisabled={isBusy} />
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
      <Group gap="xs">
        {connection.accountId === null ? null : <Text size="sm">Account {connection.accountId}</Text>}
        <ModeBadge shownKey={connection.apiKeyFirstChars} />
      </Group>
      {connection.apiKeyFirstChars === null ? null : (
        <Text size="sm">API key {maskedKey(connection.apiKeyFirstChars)}</Text>
      )}
      <WritingKeyNote shownKey={connection.apiKeyFirstChars} />
      {connection.warning === null ? null : (
        <Alert role="note" color="yellow" title="Key needs attention">
          {connection.warning}
        </Alert>
      )}
      {missing.length === 0 ? null : (
        <Text size="sm" c="dimmed">
          The key lacks read permission for: {missing.join(', ')}.
        </Text>
      )}
      <FreshnessText isStopped={isRefused(connection)} />
      {!isManager ? (
        <ManagersNote what="change the key or disconnect Stripe" />
      ) : isChanging ? (
        <ConnectStripe submitLabel="Update API Key" isDisabled={isBusy} onEnd={() => setChanging(false)} />
      ) : (
        <Group>
          <StartButton
            variant={isRefused(connection) ? 'filled' : 'default'}
            isOff={isBusy}
            onClick={() => setChanging(true)}
          >
            Change API Key
          </StartButton>
        </Group>
      )}
      <WebhookSection />
    </>
  )
}

type ConnectStripeProps = {
  submitLabel: string
  isDisabled: boolean
  /** Closes the form of a change; undefined when there is nothing to return to. */
  onEnd?: () => void
}

/** Takes the key for a first connection or for a changed one. */
function ConnectStripe({ submitLabel, isDisabled, onEnd }: ConnectStripeProps) {
  const toast = useToast()
  const refreshRecords = useRefreshRecords()
  const guide = useStripeKeyGuide()
  const connecting = useConnectStripe({
    onConnected: async (said) => {
      toast(said)
      await refreshRecords()
      onEnd?.()
    },
    onFailed: (error) => {
      const description = serverText(error, 'Failed to connect to Stripe. Please check your API key.')
      toast({ title: 'Failed to connect to Stripe', description, isError: true })
    },
  })
  return (
    <StripeKeyForm
      connecting={connecting}
      guide={guide.isError ? null : guide.data}
      submitLabel={submitLabel}
      description="The Secret key starting with sk_, or better a restricted key (rk_) that may only read."
      isDisabled={isDisabled}
      problemOf={keyProblem}
      onCancel={onEnd}
    />
  )
}
