import { Group, Text } from '@mantine/core'
import { useObstacles } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import type { Retry } from './use-retry-failed.ts'

type RetryFailedProps = { retry: Retry; note: string; onStarted?: () => void }

/** Pushes again only what HubSpot refused. */
export function RetryFailed({ retry, note, onStarted }: RetryFailedProps) {
  const { canSync } = useObstacles()
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" flex="1 1 240px">
        {note}
      </Text>
      <StartButton
        variant="default"
        isBusy={retry.isBusy}
        isOff={!canSync}
        onClick={() => retry.start(onStarted)}
      >
        Retry Failed Records
      </StartButton>
    </Group>
  )
}
