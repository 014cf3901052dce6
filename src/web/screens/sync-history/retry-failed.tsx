import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { retryFailed } from '#contract/sync.ts'
import { call, serverText } from '../../client.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { useToast } from '../../ui/toast.tsx'

/** Pushes again only what HubSpot refused. */
export function RetryFailed({ onStarted }: { onStarted?: () => void }) {
  const toast = useToast()
  const refreshRecords = useRefreshRecords()
  const retry = useMutation({
    mutationFn: () => call(retryFailed),
    onSuccess: () => {
      toast({ title: 'Retry started', description: 'Only records that failed are synced again.' })
      onStarted?.()
    },
    onError: (error) => {
      const description = serverText(error, 'An error occurred while starting the retry.')
      toast({ title: 'Retry failed', description, isError: true })
    },
    onSettled: () => void refreshRecords(),
  })
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" flex="1 1 240px">
        Correct what the messages name, in Stripe or in HubSpot. Records that changed in Stripe are tried
        again by themselves, others only when you ask.
      </Text>
      <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
        Retry Failed Records
      </Button>
    </Group>
  )
}
