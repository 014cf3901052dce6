import type { disconnectHubspot, disconnectStripe } from '#contract/connections.ts'
import { call, serverText } from '../../client.ts'
import { DisconnectDialog } from '../../components/runs/disconnect-dialog.tsx'
import { useRefreshRecords } from '../../queries/records.ts'
import { useCurrentUser } from '../../queries/session.ts'
import { useConfirmation } from '../../ui/dialogs/use-confirmation.ts'
import { MoreMenu } from '../../ui/more-menu.tsx'

type DisconnectMenuProps = {
  name: 'HubSpot' | 'Stripe'
  endpoint: typeof disconnectHubspot | typeof disconnectStripe
  isDisabled: boolean
}

/** A menu that disconnects a provider after the person has confirmed it. */
export function DisconnectMenu({ name, endpoint, isDisabled }: DisconnectMenuProps) {
  const refreshRecords = useRefreshRecords()
  const isSetUp = useCurrentUser().data?.setupComplete === true
  const confirmation = useConfirmation()
  const disconnect = async () => {
    await call(endpoint)
    await refreshRecords()
  }
  return (
    <>
      <MoreMenu of={name} item={`Disconnect ${name}`} isDisabled={isDisabled} onChoose={confirmation.ask} />
      <DisconnectDialog
        {...{ name, isSetUp, confirmation }}
        onDisconnect={disconnect}
        problemOf={(error) => ({
          title: `Failed to disconnect from ${name}`,
          description: serverText(error, 'Please try again.'),
        })}
      />
    </>
  )
}
