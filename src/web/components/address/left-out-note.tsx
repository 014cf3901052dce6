import { Alert, Anchor, Text } from '@mantine/core'

/** A part of the address that the screen cannot follow: why, and what it shows instead. */
export type LeftOut = { name: string; text: string; reason: string; shown: string }

/** Says which parts of the address are not followed, and takes them away. */
export function LeftOutNote({ leftOut, onRemove }: { leftOut: readonly LeftOut[]; onRemove: () => void }) {
  if (leftOut.length === 0) return null
  const texts = leftOut.map(
    ({ name, text, reason, shown }) => `In the address, ${name}=${text.slice(0, 60)} ${reason}. ${shown}`,
  )
  return <AddressNote text={texts.join(' ')} onRemove={onRemove} />
}

/** One quiet line on an address that cannot be followed. */
export function AddressNote({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <Alert color="yellow" role="alert" py="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text}{' '}
        <Anchor component="button" type="button" inherit underline="always" onClick={onRemove}>
          Remove it from the address
        </Anchor>
      </Text>
    </Alert>
  )
}
