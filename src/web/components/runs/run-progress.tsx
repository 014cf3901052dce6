import { Group, Progress, Stack, Text } from '@mantine/core'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { percentOf } from '../figures/percent.ts'
import { ImportCounts, type ImportProgressCounts } from './import-counts.tsx'
import { isEstimate } from './import-sum.ts'
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
  /** What an import has read of each kind so far. */
  counts?: ImportProgressCounts
  onCancel: () => void
  isCancelling: boolean
}

/** Shows the progress of a run as a bar with its percentage, and a button that stops it. */
export function RunProgress({ work, label, processed, total, counts = [], ...stop }: RunProgressProps) {
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
      <RunPace work={work} processed={processed} total={total} isEstimate={counts.some(isEstimate)} />
      {counts.length === 0 ? null : (
        <div>
          <Fold openLabel="Show what was read" closeLabel="Hide what was read">
            <ImportCounts counts={counts} />
          </Fold>
        </div>
      )}
      {work === 'sync' ? (
        <Text size="sm" c="dimmed">
          What is in HubSpot is counted a little later, without records that HubSpot refuses.
        </Text>
      ) : null}
      <Group justify="flex-end">
        <StartButton size="xs" variant="default" isBusy={stop.isCancelling} onClick={stop.onCancel}>
          Cancel
        </StartButton>
      </Group>
    </Stack>
  )
}
