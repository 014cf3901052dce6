import { Text } from '@mantine/core'

/** Keeps in its place what failed, because the toast that told it goes. */
export function FailureText({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <Text size="sm" c="var(--text-negative)" role="alert">
      {text}
    </Text>
  )
}
