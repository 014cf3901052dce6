import { Group, Kbd, Text } from '@mantine/core'

/** Shows which keys do what. */
export function KeyHints({ keys }: { keys: readonly (readonly [key: string, does: string])[] }) {
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
