import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  disconnectStripe,
  getConnectionStatus,
  getHubspotObjects,
  verifyStripe,
} from '#contract/connections.ts'
import { ApiError, call, endpointKey, serverText, useEndpoint } from '../../client.ts'
import { ModeBadge } from '../../components/stripe-key/mode-badge.tsx'
import { StripeKeyForm } from '../../components/stripe-key/stripe-key-form.tsx'
import { WritingKeyNote } from '../../components/stripe-key/writing-key-note.tsx'
import { useConnectStripe } from '../../queries/connect-stripe.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useAbout, useRefreshProgress } from '../../queries/session.ts'
import { useStripeKeyGuide } from '../../queries/stripe-key-guide.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { logProblem } from '../../ui/problems/log-problem.ts'
import { Unread } from '../../ui/problems/unread.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Disconnect } from './disconnect.tsx'
import { StepFrame } from './step-frame.tsx'
import { useAdvance } from './use-advance.ts'

export function StripeStep() {
  const { advance, isSaving } = useAdvance('payments')
  const stripe = useEndpoint(verifyStripe, {}, { staleTime: freshMs.connectionInWizard })
  const guide = useStripeKeyGuide()
  const isConnected = stripe.data?.connected === true
  const proceed = async () => {
    await advance((await areObjectsLacking()) ? 'objects' : 'import')
  }
  return (
    <StepFrame
      step="payments"
      title="Connect Stripe"
      text="Read-only access to customers, subscriptions, invoices, products, prices, payment methods and coupons is enough. Payment data is never changed."
      actions={
        <StartButton isOff={!isConnected} isBusy={isSaving} onClick={() => void proceed()}>
          Continue
        </StartButton>
      }
    >
      <Unread what="The Stripe connection" error={stripe.error} onRetry={() => void stripe.refetch()} />
      {stripe.isPending || guide.isPending ? (
        <PageSpinner />
      ) : stripe.data?.hasApiKey ? (
        <StoredKey
          maskedApiKey={stripe.data.maskedApiKey ?? ''}
          accountId={stripe.data.accountId}
          isConnected={isConnected}
        />
      ) : (
        <ConnectStripe submitLabel="Connect" />
      )}
    </StepFrame>
  )
}

/**
 * Asks when the button is pressed, because the screen's own answer may not have arrived. If the call fails, the
 * wizard goes on: the push creates the objects and says so if it cannot.
 */
async function areObjectsLacking(): Promise<boolean> {
  try {
    const { hubspot } = await call(getConnectionStatus)
    return hubspot.dbConnected && !(await call(getHubspotObjects)).isReady
  } catch (error) {
    logProblem('The custom objects could not be checked', error)
    return false
  }
}

type StoredKeyProps = { maskedApiKey: string; accountId: string | null; isConnected: boolean }

function StoredKey({ maskedApiKey, accountId, isConnected }: StoredKeyProps) {
  const client = useQueryClient()
  const [isChanging, setChanging] = useState(false)
  return (
    <Stack>
      {isConnected ? (
        <Alert role="note" color="green" icon={<IconCircleCheck aria-hidden />} title="Stripe is connected">
          <Group gap="xs">
            {accountId === null ? null : (
              <span style={{ minWidth: 0, overflowWrap: 'anywhere' }}>Account {accountId}</span>
            )}
            <ModeBadge shownKey={maskedApiKey} />
          </Group>
        </Alert>
      ) : (
        <Alert color="red" role="alert" title="Stripe does not confirm the stored key">
          Change the key, or disconnect and connect again.
        </Alert>
      )}
      <Group align="flex-end">
        <TextInput label="Stripe API Key" readOnly value={maskedApiKey} flex={1} miw={200} />
        {isChanging ? null : (
          <Button variant="default" onClick={() => setChanging(true)}>
            Change
          </Button>
        )}
        <Disconnect
          name="Stripe"
          endpoint={disconnectStripe}
          onDisconnected={() => client.invalidateQueries({ queryKey: endpointKey(verifyStripe) })}
          failureOf={(error) => serverText(error, 'Failed to disconnect from Stripe. Please try again.')}
        />
      </Group>
      <WritingKeyNote shownKey={maskedApiKey} />
      {isChanging ? (
        <ConnectStripe submitLabel="Update API Key" onConnected={() => setChanging(false)} />
      ) : null}
    </Stack>
  )
}

/** Takes a Stripe key, checks it and saves it. */
function ConnectStripe({ submitLabel, onConnected }: { submitLabel: string; onConnected?: () => void }) {
  const { data: about } = useAbout()
  const guide = useStripeKeyGuide()
  const toast = useToast()
  const client = useQueryClient()
  const refreshProgress = useRefreshProgress()
  const connecting = useConnectStripe({
    onConnected: async (said) => {
      await client.invalidateQueries({ queryKey: endpointKey(verifyStripe) })
      await client.invalidateQueries({ queryKey: endpointKey(getConnectionStatus) })
      await refreshProgress()
      toast(said)
      onConnected?.()
    },
    onFailed: (error) => toast({ ...connectionFailure(error), isError: true }),
  })
  return (
    <StripeKeyForm
      connecting={connecting}
      guide={guide.isError ? null : guide.data}
      submitLabel={submitLabel}
      description="Use the Secret key starting with sk_, or better a restricted key (rk_) that may only read."
      demoKey={about?.demoStripeKey ?? null}
    />
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
