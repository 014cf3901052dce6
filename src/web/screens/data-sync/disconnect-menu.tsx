import { useState } from 'react'
import type { disconnectHubspot, disconnectStripe } from '#contract/connections.ts'
import { call, serverText } from '../../client.ts'
import { DisconnectQuestion } from '../../components/runs/disconnect-question.tsx'
import { useRefreshRecords } from '../../queries/records.ts'
import { useCurrentUser } from '../../queries/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useConfirmation } from '../../ui/use-confirmation.ts'

type DisconnectMenuProps = {
  name: 'HubSpot' | 'Stripe'
  question: string
  endpoint: typeof disconnectHubspot | typeof disconnectStripe
  isDisabled: boolean
}

/** A menu that disconnects a provider after the person has confirmed it. */
export function DisconnectMenu({ name, question, endpoint, isDisabled }: DisconnectMenuProps) {
  const toast = useToast()
  const refreshRecords = useRefreshRecords()
  const isSetUp = useCurrentUser().data?.setupComplete === true
  const confirmation = useConfirmation()
  const [isBusy, setBusy] = useState(false)
  const disconnect = async () => {
    setBusy(true)
    try {
      await call(endpoint)
      await refreshRecords()
      toast({ title: `Disconnected from ${name}` })
      confirmation.close()
    } catch (error) {
      const problem = {
        title: `Failed to disconnect from ${name}`,
        description: serverText(error, 'Please try again.'),
      }
      confirmation.fail(problem)
      toast({ ...problem, isError: true })
    }
    setBusy(false)
  }
  return (
    <>
      <MoreMenu of={name} item={`Disconnect ${name}`} isDisabled={isDisabled} onChoose={confirmation.ask} />
      <ConfirmDialog
        {...confirmation.dialog}
        title={`Disconnect ${name}`}
        text={<DisconnectQuestion isSetUp={isSetUp}>{question}</DisconnectQuestion>}
        confirmLabel="Disconnect"
        isBusy={isBusy}
        onConfirm={() => void disconnect()}
      />
    </>
  )
}
