import { Group, Text } from '@mantine/core'
import { useObstacles } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import type { Retry } from './use-retry-failed.ts'

type RetryFailedProps = { retry: Retry; onStarted?: () => void }

/** Pushes again only what HubSpot refused. */
export function RetryFailed({ retry, onStarted }: RetryFailedProps) {
  const { canSync } = useObstacles()
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" flex="1 1 240px">
        Correct what the messages name, in Stripe or in HubSpot. Records that changed in Stripe are tried
        again by themselves, others only when you ask.
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
