import { Group, Kbd, Text } from '@mantine/core'
import type { ReviewKey } from '../../components/customers/review-keys.ts'
import { useSingleKeys } from '../../components/frame/preferences.ts'

/** The mark of a key on the button that does the same. Nothing when single keys are turned off. */
export function useKeyMark(key: string | undefined) {
  const [areSingleKeysOn] = useSingleKeys()
  if (key === undefined || !areSingleKeysOn) return {}
  // As text it would be part of what is read on the button, and not of its name.
  const mark = <Kbd size="xs" className="for-keys" aria-hidden data-key={key} />
  return { rightSection: mark, 'aria-keyshortcuts': key }
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
