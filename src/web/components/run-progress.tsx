import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { percentOf } from './percent.ts'

type RunProgressProps = {
  label: string
  processed: number
  total: number
  onCancel: () => void
  isCancelling: boolean
}

/** How far a run has come, as a bar with its percentage, and the way to stop it. */
export function RunProgress({ label, processed, total, onCancel, isCancelling }: RunProgressProps) {
  const percent = percentOf(processed, total)
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap" aria-live="polite">
        <Text size="sm">{label}</Text>
        <Text size="sm" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {percent}%
        </Text>
      </Group>
      <Progress value={percent} aria-label={label} />
      <Group justify="flex-end">
        <Button size="xs" variant="default" loading={isCancelling} onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
