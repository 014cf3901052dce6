import { Stack, Text } from '@mantine/core'
import { getSyncHealth, type SyncHealth } from '#contract/lists/sync-health.ts'
import { getSyncStatus } from '#contract/sync.ts'
import { useEndpoint } from '../../client.ts'
import { DataSyncTabs } from '../../components/data-sync-tabs.tsx'
import { MissingConnection } from '../../components/runs/missing-connection.tsx'
import { freshMs } from '../../queries/freshness.ts'
import { type MatchingStand, useMatchingStand } from '../../queries/matching-stand.ts'
import { useMissingProviders } from '../../queries/session.ts'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { ReadFailure } from '../../ui/problems/unread.tsx'
import { formatAgo } from '../../ui/time/ago.ts'
import { useNow } from '../../ui/time/now.ts'
import { FailingSection } from './failing-section.tsx'
import {
  CustomersToMatch,
  HealthEvents,
  HealthSection,
  HealthSubscriptions,
  sumText,
} from './sync-health-parts.tsx'
import { SyncTrouble } from './sync-trouble.tsx'
import { useRetryFailed } from './use-retry-failed.ts'

/** Shows what HubSpot refused, what waits and what is in HubSpot, each with its list: first what somebody has to do. */
export function SyncHealthScreen() {
  const {
    data: health,
    error,
    isFetching,
    refetch,
  } = useEndpoint(getSyncHealth, {}, { staleTime: freshMs.records })
  // Here, so that a retry is followed also when nothing is failing any more.
  const retry = useRetryFailed()
  return (
    <DataSyncTabs current="sync-health">
      <Stack>
        <MissingConnection missing={useMissingProviders()}>
          Nothing is synced until both Stripe and HubSpot are connected.
        </MissingConnection>
        <SyncTrouble />
        {error === null ? null : (
          <ReadFailure
            title="An error occurred while fetching the sync health."
            error={error}
            onRetry={() => void refetch()}
            isRetrying={isFetching}
          />
        )}
        {health === undefined ? (
          error === null && <PageSpinner />
        ) : (
          <>
            <FailingSection health={health} retry={retry} />
            <Waiting health={health} />
            <InSync health={health} />
          </>
        )}
      </Stack>
    </DataSyncTabs>
  )
}

type HealthProps = { health: SyncHealth }

const notMatched: Record<Exclude<MatchingStand, 'matched'>, string> = {
  not_imported: 'Customers are matched once Stripe is imported and HubSpot is connected, under Data Sync.',
  not_connected: 'Customers are matched once HubSpot is connected under Data Sync.',
  not_run: 'Customers are matched by the first sync to HubSpot.',
}

function InSync({ health }: HealthProps) {
  const missing = useMissingProviders()
  const areConnected = missing.length === 0
  const isKnown = !missing.includes('HubSpot')
  const lastSync = useLastSync()
  const note = isKnown
    ? 'Their records in HubSpot are as they are here.'
    : 'At the last sync, their records in HubSpot were as they are here. What was changed there since is not known.'
  const sums = [sumText(health.inSync, 'subscription'), sumText(health.events.inSync, 'event')]
  const hasSome = sums.some((sum) => sum !== null)
  return (
    <HealthSection
      title={isKnown || !hasSome ? 'In sync' : 'Last known in sync'}
      counts={isKnown || !hasSome ? sums : [...sums, lastSync]}
      emptyText={`No subscription and no event is in sync. ${areConnected ? 'The next sync takes them to HubSpot.' : 'Once Stripe and HubSpot are connected under Data Sync, a sync takes them to HubSpot.'}`}
    >
      <HealthSubscriptions
        health={health}
        part="inSync"
        title="Subscriptions in sync"
        note={note}
        isAlone={health.events.inSync.count === 0}
      />
      <HealthEvents health={health} part="inSync" title="Events in sync" note={note} />
    </HealthSection>
  )
}

/** How long ago the last sync ended, if it ended well. */
function useLastSync(): string | null {
  const last = useEndpoint(getSyncStatus, {}, { staleTime: freshMs.records }).data?.lastSync
  const now = useNow()
  return last?.status === 'completed' ? `last sync ${formatAgo(last.endedAt, now)}` : null
}

/** What several lists have together. */
const added = (sums: readonly { count: number; isCapped: boolean }[]) => ({
  count: sums.reduce((sum, { count }) => sum + count, 0),
  isCapped: sums.some(({ isCapped }) => isCapped),
})

function Waiting({ health }: HealthProps) {
  const { customersToMatch, notInHubspot, changed, late, events } = health
  const waiting = added([notInHubspot, changed, late])
  const waitingEvents = added([events.notInHubspot, events.changed])
  const stand = useMatchingStand()
  const follow = useMissingProviders().includes('HubSpot')
    ? 'They follow once HubSpot is connected and synced.'
    : 'They follow with the next sync.'
  const unmatched = stand === 'matched' ? null : notMatched[stand]
  return (
    <HealthSection
      title="Waiting"
      counts={[
        sumText(customersToMatch, 'customer'),
        sumText(waiting, 'subscription'),
        sumText(waitingEvents, 'event'),
      ]}
      emptyText={unmatched ?? 'No customer waits for a match, and no subscription or event for its sync.'}
    >
      {unmatched === null || customersToMatch.count > 0 ? null : (
        <Text size="sm" c="dimmed">
          {unmatched}
        </Text>
      )}
      <CustomersToMatch health={health} />
      <HealthSubscriptions
        health={health}
        part="notInHubspot"
        title="Subscriptions not in HubSpot"
        note="They have not been synced yet, or somebody deleted their records in HubSpot."
      />
      <HealthSubscriptions
        health={health}
        part="changed"
        title="Subscriptions changed since their last sync"
        note={`Their records in HubSpot show older figures, or another company or contact. ${follow}`}
      />
      <HealthSubscriptions
        health={health}
        part="late"
        title="Subscriptions late in HubSpot"
        note="A change has been on its way to HubSpot for longer than promised. Sync History says how the last syncs ended."
      />
      <HealthEvents
        health={health}
        part="notInHubspot"
        title="Events not in HubSpot"
        note="They have not been synced yet, or somebody deleted their records in HubSpot."
      />
      <HealthEvents
        health={health}
        part="changed"
        title="Events changed since their last sync"
        note={`Their records in HubSpot are older. ${follow}`}
      />
    </HealthSection>
  )
}
