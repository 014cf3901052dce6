import { Text } from '@mantine/core'

/** How many subscriptions have a part in no total because they cannot be counted; nothing where all can. */
export function Uncounted({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <Text component="div" size="xs">
      {count.toLocaleString('en-US')} more could not be counted; each says why
    </Text>
  )
}
