import { Group, Progress, Stack, Text } from '@mantine/core'
import { percentOf } from './percent.ts'

type RunProgressProps = { label: string; processed: number; total: number }

/** How far a run has come, as a bar with its percentage. */
export function RunProgress({ label, processed, total }: RunProgressProps) {
  const percent = percentOf(processed, total)
  return (
    <Stack gap={4} aria-live="polite">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{label}</Text>
        <Text size="sm" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {percent}%
        </Text>
      </Group>
      <Progress value={percent} aria-label={label} />
    </Stack>
  )
}
