import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { disconnectHubspot, disconnectStripe } from '#contract/connections.ts'
import { call, serverText } from '../../client.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useToast } from '../../ui/toast.tsx'

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
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const disconnect = async () => {
    setBusy(true)
    try {
      await call(endpoint)
      await refreshRecords()
      toast({ title: `Disconnected from ${name}` })
    } catch (error) {
      const description = serverText(error, 'Please try again.')
      toast({ title: `Failed to disconnect from ${name}`, description, isError: true })
    }
    setBusy(false)
    setAsking(false)
  }
  const ask = () => {
    // The dialog gives the focus back to what had it; the item is gone by then.
    opener.current?.focus()
    setAsking(true)
  }
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon ref={opener} variant="subtle" color="gray" aria-label={`More actions for ${name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" disabled={isDisabled} onClick={ask}>
            Disconnect {name}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        isOpen={isAsking}
        title={`Disconnect ${name}`}
        text={question}
        confirmLabel="Disconnect"
        isBusy={isBusy}
        onConfirm={() => void disconnect()}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
