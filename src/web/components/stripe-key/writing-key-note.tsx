import { Text } from '@mantine/core'

/**
 * Tells of a secret key that it could do more than is needed. What a restricted key may do cannot be read, so nothing
 * is said of it. `shownKey` is the part of the key that people may see.
 */
export function WritingKeyNote({ shownKey }: { shownKey: string | null }) {
  if (!shownKey?.startsWith('sk_')) return null
  return (
    <Text size="sm" c="dimmed">
      This key could also write. Tributary never does, but a restricted key (rk_) is safer.
    </Text>
  )
}
