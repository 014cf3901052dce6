import { Text } from '@mantine/core'

/** Replaces a button that only owners and admins have. `what` names the action, after the word "can". */
export function ManagersNote({ what }: { what: string }) {
  return (
    <Text size="sm" c="dimmed">
      Only owners and admins can {what}.
    </Text>
  )
}
