import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type disconnectHubspot, type disconnectStripe, getConnectionStatus } from '#contract/connections.ts'
import { call, endpointKey } from '../../client.ts'
import { DisconnectQuestion } from '../../components/runs/disconnect-question.tsx'
import { useCurrentUser, useRefreshProgress } from '../../queries/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useConfirmation } from '../../ui/use-confirmation.ts'

type DisconnectProps = {
  name: 'HubSpot' | 'Stripe'
  consequence: string
  endpoint: typeof disconnectHubspot | typeof disconnectStripe
  onDisconnected: () => Promise<void> | void
  failureOf: (error: unknown) => string
}

/** Disconnects a provider of the wizard once the person has confirmed it. */
export function Disconnect({ name, consequence, endpoint, onDisconnected, failureOf }: DisconnectProps) {
  const toast = useToast()
  const client = useQueryClient()
  const refreshProgress = useRefreshProgress()
  const isSetUp = useCurrentUser().data?.setupComplete === true
  const confirmation = useConfirmation()
  const [isBusy, setBusy] = useState(false)
  const disconnect = async () => {
    setBusy(true)
    try {
      await call(endpoint)
      await onDisconnected()
      await client.invalidateQueries({ queryKey: endpointKey(getConnectionStatus) })
      await refreshProgress()
      toast({ title: `Disconnected from ${name}` })
      confirmation.close()
    } catch (error) {
      const problem = { title: 'Disconnect Failed', description: failureOf(error) }
      confirmation.fail(problem)
      toast({ ...problem, isError: true })
    }
    setBusy(false)
  }
  return (
    <>
      <Button variant="outline" color="red" onClick={confirmation.ask}>
        Disconnect
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={`Disconnect ${name}`}
        text={
          <DisconnectQuestion
            isSetUp={isSetUp}
          >{`Are you sure you want to disconnect from ${name}? ${consequence}`}</DisconnectQuestion>
        }
        confirmLabel="Disconnect"
        isBusy={isBusy}
        onConfirm={() => void disconnect()}
      />
    </>
  )
}
