import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type disconnectHubspot, type disconnectStripe, getConnectionStatus } from '#contract/connections.ts'
import { call, endpointKey } from '../../client.ts'
import { useRefreshProgress } from '../../queries/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useToast } from '../../ui/toast.tsx'

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
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const disconnect = async () => {
    setBusy(true)
    try {
      await call(endpoint)
      await onDisconnected()
      await client.invalidateQueries({ queryKey: endpointKey(getConnectionStatus) })
      await refreshProgress()
      toast({ title: `Disconnected from ${name}` })
    } catch (error) {
      toast({ title: 'Disconnect Failed', description: failureOf(error), isError: true })
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
        title={`Disconnect ${name}`}
        text={`Are you sure you want to disconnect from ${name}? ${consequence}`}
        confirmLabel="Disconnect"
        isBusy={isBusy}
        onConfirm={() => void disconnect()}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
