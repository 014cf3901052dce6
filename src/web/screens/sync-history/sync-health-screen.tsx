import { Stack, Text } from '@mantine/core'
import { getSyncHealth, healthFilters, type SyncHealth } from '#contract/lists/sync-health.ts'
import { useEndpoint } from '../../client.ts'
import { DataSyncTabs } from '../../components/data-sync-tabs.tsx'
import { eventTarget, subscriptionTarget } from '../../components/list-page/row-targets.ts'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { type MatchingStand, useMatchingStand } from '../../queries/matching-stand.ts'
import { useCurrentUser } from '../../queries/session.ts'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { ReadFailure } from '../../ui/problems/unread.tsx'
import { RetryFailed } from './retry-failed.tsx'
import {
  refusedEventCard,
  refusedEventColumns,
  refusedSubscriptionCard,
  refusedSubscriptionColumns,
} from './sync-health-columns.tsx'
import {
  CustomersToMatch,
  HealthPart,
  HealthSection,
  HealthSubscriptions,
  moneyOf,
  subscriptionsAt,
  sumText,
} from './sync-health-parts.tsx'
import { SyncTrouble } from './sync-trouble.tsx'

/** Shows what HubSpot refused, what waits and what is in HubSpot, each with its list: first what somebody has to do. */
export function SyncHealthScreen() {
  const {
    data: health,
    error,
    isFetching,
    refetch,
  } = useEndpoint(getSyncHealth, {}, { staleTime: freshMs.records })
  return (
    <DataSyncTabs current="sync-health">
      <Stack>
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
            <Failing health={health} />
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
  const progress = useCurrentUser().data?.setupProgress
  const areConnected = progress?.hubspotConnected === true && progress.stripeConnected
  return (
    <HealthSection
      title="In sync"
      counts={[sumText(health.inSync, 'subscription')]}
      emptyText={`No subscription is in sync. ${areConnected ? 'The next sync takes them to HubSpot.' : 'Once Stripe and HubSpot are connected under Data Sync, a sync takes them to HubSpot.'}`}
    >
      <HealthSubscriptions
        health={health}
        part="inSync"
        title="Subscriptions in sync"
        note="Their records in HubSpot are as they are here."
        isAlone
      />
    </HealthSection>
  )
}

function Waiting({ health }: HealthProps) {
  const { customersToMatch, notInHubspot, changed, late } = health
  const parts = [notInHubspot, changed, late]
  const waiting = {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    isCapped: parts.some(({ isCapped }) => isCapped),
  }
  const stand = useMatchingStand()
  const unmatched = stand === 'matched' ? null : notMatched[stand]
  return (
    <HealthSection
      title="Waiting"
      counts={[sumText(customersToMatch, 'customer'), sumText(waiting, 'subscription')]}
      emptyText={unmatched ?? 'No customer waits for a match, and no subscription for its sync.'}
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
        note="Their records in HubSpot show older figures, or another company or contact. They follow with the next sync."
      />
      <HealthSubscriptions
        health={health}
        part="late"
        title="Subscriptions late in HubSpot"
        note="A change has been on its way to HubSpot for longer than promised. Sync History says how the last syncs ended."
      />
    </HealthSection>
  )
}

function Failing({ health }: HealthProps) {
  const { failing, failingEvents, firstFailing, firstFailingEvents } = health
  const isAlone = failing.count === 0 || failingEvents.count === 0
  return (
    <HealthSection
      title="Failing"
      counts={[sumText(failing, 'subscription'), sumText(failingEvents, 'event')]}
      emptyText="No record was refused."
    >
      <HealthPart
        title="Failing subscriptions"
        note="HubSpot refused their records, so it may show older figures."
        sum={failing}
        mrr={moneyOf(failing.mrr, health)}
        to={subscriptionsAt('failing')}
        columns={refusedSubscriptionColumns}
        cardOf={refusedSubscriptionCard}
        records={firstFailing}
        idOf={(row) => row.subscriptionId}
        linkOf={({ subscriptionId, companyName }) => subscriptionTarget(subscriptionId, companyName)}
        isAlone={isAlone}
      />
      <HealthPart
        title="Failing events"
        note="HubSpot refused their records."
        sum={failingEvents}
        mrr={null}
        to={`${paths.events}?${new URLSearchParams(healthFilters.failing)}`}
        columns={refusedEventColumns}
        cardOf={refusedEventCard}
        records={firstFailingEvents}
        idOf={(event) => event.transactionId}
        linkOf={eventTarget}
        isAlone={isAlone}
      />
      <RetryFailed />
    </HealthSection>
  )
}
