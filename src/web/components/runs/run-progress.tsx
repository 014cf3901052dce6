import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { percentOf } from '../figures/percent.ts'
import { RunPace } from './run-pace.tsx'

type RunProgressProps = {
  work: 'import' | 'sync'
  label: string
  processed: number
  /**
   * 0 until the total is known. An import then shows no percentage, because any would mislead; a sync shows that it
   * has done nothing yet.
   */
  total: number
  onCancel: () => void
  isCancelling: boolean
}

/** Shows the progress of a run as a bar with its percentage, and a button that stops it. */
export function RunProgress({ work, label, processed, total, onCancel, isCancelling }: RunProgressProps) {
  const percent = percentOf(processed, total)
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap" aria-live="polite">
        <Text size="sm">{label}</Text>
        <Text size="sm" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {total > 0 || work === 'sync' ? `${percent}%` : ''}
        </Text>
      </Group>
      <Progress value={percent} aria-label={label} />
      <RunPace work={work} processed={processed} total={total} />
      {work === 'sync' ? (
        <Text size="sm" c="dimmed">
          What is in HubSpot is counted a little later, without records that HubSpot refuses.
        </Text>
      ) : null}
      <Group justify="flex-end">
        <Button size="xs" variant="default" loading={isCancelling} onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
