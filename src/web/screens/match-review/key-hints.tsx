import { Group, Kbd, Text } from '@mantine/core'
import { useSingleKeys } from '../../components/frame/preferences.ts'

/** Shows which keys do what; nothing when they are turned off. */
export function KeyHints({ keys }: { keys: readonly (readonly [key: string, does: string])[] }) {
  const [areSingleKeysOn] = useSingleKeys()
  if (!areSingleKeysOn) return null
  return (
    <Group gap="sm" component="p" m={0} visibleFrom="sm">
      {keys.map(([key, does]) => (
        <Text key={key} span size="xs" c="dimmed">
          <Kbd size="xs">{key}</Kbd> {does}
        </Text>
      ))}
    </Group>
  )
}
