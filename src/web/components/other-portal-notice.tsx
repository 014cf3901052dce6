import { Alert, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { StartButton } from '../ui/buttons/start-button.tsx'
import { ManagersNote } from './managers-note.tsx'

type OtherPortalNoticeProps = {
  portalId: string
  earlierPortalId: string
  isBusy: boolean
  /** null when the person may not decide. */
  onAccept: (() => void) | null
}

/** Asks whether the person means this other HubSpot account. To disconnect is the way to say no. */
export function OtherPortalNotice({ portalId, earlierPortalId, isBusy, onAccept }: OtherPortalNoticeProps) {
  return (
    <Alert
      color="yellow"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title="Another HubSpot account than before"
    >
      <Text size="sm">
        You were connected to account {earlierPortalId} and are now connected to {portalId}. Nothing is
        written to it until you decide.
      </Text>
      <Text size="sm" mt="xs">
        If you use {portalId}, all subscriptions and events that it does not have as they are here are written
        to it, and customers are matched with its companies, except where that was decided in it before.
        Records and decisions of account {earlierPortalId} stay there, untouched. If it was a mistake,
        disconnect and connect the right account.
      </Text>
      <Group mt="sm">
        {onAccept === null ? (
          <ManagersNote what="decide this" />
        ) : (
          <StartButton isBusy={isBusy} onClick={onAccept}>
            Use account {portalId}
          </StartButton>
        )}
      </Group>
    </Alert>
  )
}
