import { Box, Group, Text } from '@mantine/core'
import { fxName, partColors } from './movement-words.ts'
import { Swatch } from './swatch.tsx'

type LegendProps = {
  hasFx: boolean
  /** Whether there is a line for the net of the period before, or why there is none. */
  before?: 'line' | 'nothing' | 'other bars' | undefined
}

/** Names the colors of the bars, and the lines. */
export function Legend({ hasFx, before }: LegendProps) {
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
      {before === 'line' ? (
        <Group gap={6}>
          <Box w={14} style={{ borderTop: '2px dashed var(--mantine-color-dimmed)' }} />
          <Text size="xs">Net of the period before</Text>
        </Group>
      ) : null}
      {before === 'nothing' ? <Text size="xs">Nothing in the period before</Text> : null}
      {before === 'other bars' ? <Text size="xs">Period before: in the table alone</Text> : null}
    </Group>
  )
}
