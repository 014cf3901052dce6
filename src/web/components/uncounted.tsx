import { Text } from '@mantine/core'

/** Shows how many subscriptions no total includes because they cannot be counted. Renders nothing when all can. */
export function Uncounted({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <Text component="div" size="xs">
      {count.toLocaleString('en-US')} more could not be counted; each says why
    </Text>
  )
}
