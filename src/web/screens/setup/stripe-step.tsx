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
import { call, endpointKey, serverText, useEndpoint } from '../../client.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useRefreshProgress } from '../../queries/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { logProblem } from '../../ui/log-problem.ts'
import { useToast } from '../../ui/toast.tsx'
import { Unread } from '../../ui/unread.tsx'
import { StepFrame } from './step-frame.tsx'
import { StripeKeyForm } from './stripe-key-form.tsx'
import { useAdvance } from './use-advance.ts'

export function StripeStep() {
  const { advance, isSaving } = useAdvance('stripe')
  const stripe = useEndpoint(verifyStripe, {}, { staleTime: freshMs.connectionInWizard })
  const isConnected = stripe.data?.connected === true
  const proceed = async () => {
    await advance((await areObjectsLacking()) ? 'objects' : 'import')
  }
  return (
    <StepFrame
      step="stripe"
      title="Connect Stripe"
      text="Read-only access to customers, subscriptions, invoices, products, prices, payment methods and coupons is enough. Payment data is never changed."
      actions={
        <Button disabled={!isConnected} loading={isSaving} onClick={() => void proceed()}>
          Continue
        </Button>
      }
    >
      <Unread what="The Stripe connection" error={stripe.error} onRetry={() => void stripe.refetch()} />
      {stripe.data?.hasApiKey ? (
        <StoredKey maskedApiKey={stripe.data.maskedApiKey ?? ''} isConnected={isConnected} />
      ) : (
        <StripeKeyForm submitLabel="Connect" />
      )}
    </StepFrame>
  )
}

/**
 * Asked at the press itself: what the screen knows of the connection may not have come yet. When it cannot be asked, the
 * way goes on: the push makes the objects and says so if it cannot.
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

function StoredKey({ maskedApiKey, isConnected }: { maskedApiKey: string; isConnected: boolean }) {
  const [isChanging, setChanging] = useState(false)
  return (
    <Stack>
      {isConnected ? (
        <Alert color="green" icon={<IconCircleCheck aria-hidden />} title="Stripe is connected" />
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
        <DisconnectStripe />
      </Group>
      {isChanging ? (
        <StripeKeyForm submitLabel="Update API Key" onConnected={() => setChanging(false)} />
      ) : null}
    </Stack>
  )
}

function DisconnectStripe() {
  const toast = useToast()
  const client = useQueryClient()
  const refreshProgress = useRefreshProgress()
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const disconnect = async () => {
    setBusy(true)
    try {
      await call(disconnectStripe)
      await client.invalidateQueries({ queryKey: endpointKey(verifyStripe) })
      await client.invalidateQueries({ queryKey: endpointKey(getConnectionStatus) })
      await refreshProgress()
      toast({ title: 'Disconnected from Stripe' })
    } catch (error) {
      const description = serverText(error, 'Failed to disconnect from Stripe. Please try again.')
      toast({ title: 'Disconnect Failed', description, isError: true })
    }
    setBusy(false)
    setAsking(false)
  }
  return (
    <>
      <Button variant="outline" color="red" onClick={() => setAsking(true)}>
        Disconnect
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title="Disconnect Stripe"
        text="Are you sure you want to disconnect from Stripe? This will reset your Stripe integration."
        confirmLabel="Disconnect"
        isBusy={isBusy}
        onConfirm={() => void disconnect()}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
