import { Badge, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { getSubscription, type SubscriptionRecord } from '#contract/subscriptions.ts'
import { syncSubscription } from '#contract/sync.ts'
import { call, endpointKey, serverText } from '../../client.ts'
import { ObstacleLink, SyncObstacles } from '../../components/runs/sync-obstacles.tsx'
import { useObstacles, useRefreshProgress } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { type CardFact, FactCard } from '../../ui/fact-card.tsx'
import { Ago } from '../../ui/time/instant.tsx'
import { useToast } from '../../ui/toast.tsx'

type RecordCardProps = { subscriptionId: string; record: SubscriptionRecord | null }

/** Shows what is known of the subscription's own record in HubSpot, and syncs it on request. */
export function RecordCard({ subscriptionId, record }: RecordCardProps) {
  const { areRecordsReadable } = useObstacles()
  if (record === null) {
    return (
      <FactCard title="Record in HubSpot" facts={[]}>
        <Hindrance />
      </FactCard>
    )
  }
  const { state, syncedAt, problem, hubspotLink } = record
  const { label, color } = state === 'synced' && !areRecordsReadable ? lastKnown : states[state]
  const facts: CardFact[] = [
    [
      'State',
      <Badge key="state" variant="light" color={color}>
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

/** Nobody knows what was changed since then in an account that cannot be read. */
const lastKnown = { label: 'Last known in sync', color: 'gray' }

const nothingSynced = 'Nothing is synced'

function Hindrance() {
  return (
    <SyncObstacles
      obstacles={useObstacles()}
      withoutHubspot={nothingSynced}
      withoutStripe={nothingSynced}
      withoutObjects={nothingSynced}
    />
  )
}

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
  const obstacles = useObstacles()
  const { canSync } = obstacles
  // An obstacle that is found later is told below the button, so that nothing else moves.
  const [couldSync] = useState(canSync)
  useAskedAgain(canSync && !isSyncing ? blockedBy : null)
  return (
    <>
      {couldSync ? null : <Hindrance />}
      <Stack gap={4} align="flex-start">
        <StartButton
          size="xs"
          variant="default"
          isBusy={sync.isPending || isSyncing}
          isOff={blockedBy !== null || !canSync}
          onClick={() => sync.mutate()}
        >
          Sync now
        </StartButton>
        <Text size="xs" c="dimmed" role="status">
          {canSync || couldSync ? blockedBy : null}
          {couldSync ? <ObstacleLink obstacles={obstacles} /> : null}
        </Text>
      </Stack>
    </>
  )
}

/** Reads the obstacles again when the record names a reason that they do not: the last sync may have found it. */
function useAskedAgain(newerReason: string | null) {
  const refreshProgress = useRefreshProgress()
  const ask = useEffectEvent(() => void refreshProgress())
  useEffect(() => {
    if (newerReason !== null) ask()
  }, [newerReason])
}
