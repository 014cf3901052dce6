import { Badge, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getSubscription, type SubscriptionRecord } from '#contract/subscriptions.ts'
import { syncSubscription } from '#contract/sync.ts'
import { call, endpointKey, serverText } from '../../client.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { type CardFact, FactCard } from '../../ui/fact-card.tsx'
import { Ago } from '../../ui/time/instant.tsx'
import { useToast } from '../../ui/toast.tsx'

type RecordCardProps = { subscriptionId: string; record: SubscriptionRecord | null }

/** Shows what stands in HubSpot for the subscription itself, and syncs it on request. */
export function RecordCard({ subscriptionId, record }: RecordCardProps) {
  if (record === null) {
    return (
      <FactCard title="Record in HubSpot" facts={[]}>
        <Text size="sm">HubSpot is not connected. Connect it on Data Sync.</Text>
      </FactCard>
    )
  }
  const { state, syncedAt, problem, hubspotLink } = record
  const { label, color } = states[state]
  const facts: CardFact[] = [
    [
      'State',
      <Badge key="state" variant="light" color={color} tt="none">
        {label}
      </Badge>,
    ],
    ['Last Synced', syncedAt === null ? 'Not yet' : <Ago key="synced" at={syncedAt} />],
    ...(problem === null ? [] : ([['Reason', problem]] satisfies CardFact[])),
    ...(hubspotLink === null
      ? []
      : ([
          [
            'Record',
            <ExternalLink key="record" href={hubspotLink}>
              Open in HubSpot
            </ExternalLink>,
          ],
        ] satisfies CardFact[])),
  ]
  return (
    <FactCard title="Record in HubSpot" facts={facts}>
      <SyncNow subscriptionId={subscriptionId} record={record} />
    </FactCard>
  )
}

const states = {
  synced: { label: 'Synced', color: 'green' },
  waiting: { label: 'Waiting for the next sync', color: 'yellow' },
  failed: { label: 'Failed', color: 'red' },
  removed: { label: 'Deleted in HubSpot', color: 'gray' },
} as const

function SyncNow({ subscriptionId, record }: { subscriptionId: string; record: SubscriptionRecord }) {
  const toast = useToast()
  const client = useQueryClient()
  const sync = useMutation({
    mutationFn: () => call(syncSubscription, { params: { id: subscriptionId } }),
    onError: (error) =>
      toast({
        title: 'Sync did not start',
        description: serverText(error, 'Please try again.'),
        isError: true,
      }),
    onSettled: () => client.invalidateQueries({ queryKey: endpointKey(getSubscription) }),
  })
  const { blockedBy, isSyncing } = record
  return (
    <Stack gap={4} align="flex-start">
      <StartButton
        size="xs"
        variant="default"
        isBusy={sync.isPending || isSyncing}
        isOff={blockedBy !== null}
        onClick={() => sync.mutate()}
      >
        Sync now
      </StartButton>
      <Text size="xs" c="dimmed" role="status">
        {blockedBy ?? ''}
      </Text>
    </Stack>
  )
}
