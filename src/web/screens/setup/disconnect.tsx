import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type disconnectHubspot, type disconnectStripe, getConnectionStatus } from '#contract/connections.ts'
import { call, endpointKey } from '../../client.ts'
import { DisconnectDialog } from '../../components/runs/disconnect-dialog.tsx'
import { useCurrentUser, useRefreshProgress } from '../../queries/session.ts'
import { useConfirmation } from '../../ui/dialogs/use-confirmation.ts'

type DisconnectProps = {
  name: 'HubSpot' | 'Stripe'
  endpoint: typeof disconnectHubspot | typeof disconnectStripe
  onDisconnected: () => Promise<void> | void
  failureOf: (error: unknown) => string
}

/** Disconnects a provider of the wizard once the person has confirmed it. */
export function Disconnect({ name, endpoint, onDisconnected, failureOf }: DisconnectProps) {
  const client = useQueryClient()
  const refreshProgress = useRefreshProgress()
  const isSetUp = useCurrentUser().data?.setupComplete === true
  const confirmation = useConfirmation()
  const disconnect = async () => {
    await call(endpoint)
    await onDisconnected()
    await client.invalidateQueries({ queryKey: endpointKey(getConnectionStatus) })
    await refreshProgress()
  }
  return (
    <>
      <Button variant="outline" color="red" onClick={confirmation.ask}>
        Disconnect
      </Button>
      <DisconnectDialog
        {...{ name, isSetUp, confirmation }}
        onDisconnect={disconnect}
        problemOf={(error) => ({ title: 'Disconnect Failed', description: failureOf(error) })}
      />
    </>
  )
}
