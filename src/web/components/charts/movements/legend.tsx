import { Box, Group, Text } from '@mantine/core'
import { fxName, partColors } from './movement-words.ts'
import { Swatch } from './swatch.tsx'

/** Names the colors of the bars, and the line. */
export function Legend({ hasFx }: { hasFx: boolean }) {
  return (
    <Group gap="md" aria-hidden>
      {Object.entries(partColors).map(([name, color]) =>
        name === fxName && !hasFx ? null : (
          <Group key={name} gap={6}>
            <Swatch {...color} />
            <Text size="xs">{name}</Text>
          </Group>
        ),
      )}
      <Group gap={6}>
        <Box w={14} h={2} bg="var(--mantine-color-text)" style={{ printColorAdjust: 'exact' }} />
        <Text size="xs">Net</Text>
      </Group>
    </Group>
  )
}
