import { Text } from '@mantine/core'

const pollMs = 5_000

type Asked = { state: { data?: { isConverting?: true | undefined } | undefined } }

/** How often totals are asked for again: while amounts are being converted, so that the note goes with its reason. */
export function pollWhileConverting({ state }: Asked): number | false {
  return state.data?.isConverting ? pollMs : false
}

/** Says beside a total that it is between two currencies or rates. */
export function Converting({ isShown }: { isShown: boolean | undefined }) {
  if (isShown !== true) return null
  return (
    <Text size="xs" role="status">
      Amounts are being converted. Until then totals mix the old and the new.
    </Text>
  )
}
