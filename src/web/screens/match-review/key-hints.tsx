import { Group, Kbd, Text } from '@mantine/core'
import type { ReviewKey } from '../../components/customers/review-keys.ts'
import { useSingleKeys } from '../../components/frame/preferences.ts'
import { KeyMark } from '../../ui/key-mark.tsx'

/** Marks a button with the key that does the same. Nothing when single keys are turned off. */
export function useKeyMark(key: string | undefined) {
  const [areSingleKeysOn] = useSingleKeys()
  if (key === undefined || !areSingleKeysOn) return {}
  return { rightSection: <KeyMark name={key} />, 'aria-keyshortcuts': key }
}

/** Shows which keys do what; nothing when they are turned off. */
export function KeyHints({ keys }: { keys: readonly Omit<ReviewKey, 'what'>[] }) {
  const [areSingleKeysOn] = useSingleKeys()
  if (!areSingleKeysOn) return null
  return (
    <Group gap="sm" component="p" m={0} visibleFrom="sm" className="for-keys">
      {keys.map(({ key, hint }) => (
        <Text key={key} span size="xs" c="dimmed">
          <Kbd size="xs">{key}</Kbd> {hint}
        </Text>
      ))}
    </Group>
  )
}
