import { Text } from '@mantine/core'

/** Stands where a member would find a button of owners and admins; `what` says what it does, after "can". */
export function ManagersNote({ what }: { what: string }) {
  return (
    <Text size="sm" c="dimmed">
      Only owners and admins can {what}.
    </Text>
  )
}
