import { Text } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import type { useConfirmation } from '../../ui/dialogs/use-confirmation.ts'
import type { ActionProblem } from '../../ui/problems/problem-alert.tsx'
import { useToast } from '../../ui/toast.tsx'

/** In the words of the specification. */
const consequences = {
  HubSpot: 'This will reset your setup progress.',
  Stripe: 'This will reset your Stripe integration.',
}

type DisconnectDialogProps = {
  name: keyof typeof consequences
  /** Whether the setup is finished, so that syncs run by themselves. */
  isSetUp: boolean
  confirmation: ReturnType<typeof useConfirmation>
  /** Disconnects the provider, and reads again what that changed. */
  onDisconnect: () => Promise<void>
  problemOf: (error: unknown) => ActionProblem
}

/** Asks whether a provider is to be disconnected, says what stops with it, and how it ended. */
export function DisconnectDialog(props: DisconnectDialogProps) {
  const { name, isSetUp, confirmation, onDisconnect, problemOf } = props
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const disconnect = async () => {
    setBusy(true)
    try {
      await onDisconnect()
      toast({ title: `Disconnected from ${name}` })
      confirmation.close()
    } catch (error) {
      const problem = problemOf(error)
      confirmation.fail(problem)
      toast({ ...problem, isError: true })
    }
    setBusy(false)
  }
  return (
    <ConfirmDialog
      {...confirmation.dialog}
      title={`Disconnect ${name}`}
      text={
        <>
          <Text>{`Are you sure you want to disconnect from ${name}? ${consequences[name]}`}</Text>
          {isSetUp ? <Text mt="xs">Automatic sync stops until you finish the setup again.</Text> : null}
        </>
      }
      confirmLabel="Disconnect"
      isBusy={isBusy}
      onConfirm={() => void disconnect()}
    />
  )
}
