import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { getSyncHealth, type SyncHealth } from '#contract/lists/sync-health.ts'
import { getSyncStatus } from '#contract/sync.ts'
import { useEndpoint } from '../../client.ts'
import { DataSyncTabs } from '../../components/data-sync-tabs.tsx'
import { SyncObstacles } from '../../components/runs/sync-obstacles.tsx'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { type MatchingStand, useMatchingStand } from '../../queries/matching-stand.ts'
import { useCurrentUser, useObstacles, useSyncCondition } from '../../queries/session.ts'
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

const nothingSynced = 'Nothing is synced'

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
        <SyncObstacles
          obstacles={useObstacles()}
          withoutHubspot={nothingSynced}
          withoutStripe={nothingSynced}
          withoutObjects={nothingSynced}
          isRefusalTold
        />
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

const notMatched: Record<Exclude<MatchingStand, 'matched' | 'not_run'>, string> = {
  not_imported: 'Customers are matched once Stripe is imported and synced to HubSpot, under Data Sync.',
  not_connected: 'Customers are matched once HubSpot is connected under Data Sync.',
  undecided: 'Customers are matched once this HubSpot account is confirmed under Data Sync.',
}

/** Why no customer was looked for yet; null once they were. */
function useUnmatchedText(): string | null {
  const stand = useMatchingStand()
  const condition = useSyncCondition()
  if (stand === 'not_run') return `Customers are matched by the first sync to HubSpot${condition}.`
  return stand === 'matched' ? null : notMatched[stand]
}

/** Whether nothing was imported yet, so that there is nothing to sync: a reset of the setup leaves the records. */
function useIsEmpty(health: SyncHealth): boolean {
  const { inSync, customersToMatch, notInHubspot, changed, late, failing, events } = health
  const isImported = useCurrentUser().data?.setupProgress?.dataImported !== false
  const sums = [inSync, customersToMatch, notInHubspot, changed, late, failing, ...Object.values(events)]
  return !isImported && sums.every(({ count }) => count === 0)
}

function InSync({ health }: HealthProps) {
  const isEmpty = useIsEmpty(health)
  const { areRecordsReadable: isKnown } = useObstacles()
  const follow = useFollowTexts()
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
      emptyText={`No subscription and no event is in sync. ${isEmpty ? 'Nothing is imported yet.' : follow.all}`}
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

/** Says what takes records to HubSpot: all of them, and those that changed. */
function useFollowTexts(): { all: string; changed: string } {
  const { missing, isUndecided, isRefused, canSync } = useObstacles()
  if (canSync)
    return { all: 'The next sync takes them to HubSpot.', changed: 'They follow with the next sync.' }
  if (isUndecided)
    return {
      all: 'Once this HubSpot account is confirmed under Data Sync, a sync takes them to it.',
      changed: 'They follow once this HubSpot account is confirmed and synced.',
    }
  if (missing.length === 0 && isRefused)
    return {
      all: 'Once HubSpot is connected again under Data Sync, a sync takes them there.',
      changed: 'They follow once HubSpot is connected again and a sync has run.',
    }
  if (missing.length === 0)
    return {
      all: 'Once the custom objects are in HubSpot, a sync takes them there.',
      changed: 'They follow once the custom objects are in HubSpot and a sync has run.',
    }
  const connected = `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} connected`
  return {
    all: `Once ${connected} under Data Sync, a sync takes them to HubSpot.`,
    changed: `They follow once ${connected} and synced.`,
  }
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

function NothingImported() {
  return (
    <>
      Nothing is imported yet.{' '}
      <Anchor component={Link} to={paths.dataSync} inherit underline="always">
        Import from Stripe under Data Sync
      </Anchor>
    </>
  )
}

type NotThere = SyncHealth['events']['notInHubspot']

/** Says why rows have no record in HubSpot. */
function useNotThere(): (sum: NotThere) => string {
  const { missing, isUndecided, areObjectsMissing } = useObstacles()
  const last = useEndpoint(getSyncStatus, {}, { staleTime: freshMs.records }).data?.lastSync
  const unsynced = `not been synced yet${last?.problem === 'failed' ? ': the last sync failed before it wrote them' : ''}.`
  const again = 'Syncs write them again once they have changed, or when you start one.'
  return ({ count, isCapped, deleted }) => {
    if (isUndecided) return 'They are not in this HubSpot account. Records in the account before stay there.'
    if (areObjectsMissing) return 'The custom objects for their records are missing in HubSpot.'
    if (missing.includes('HubSpot')) return 'They have no record in HubSpot that Tributary knows of.'
    if (deleted === 0) return `They have ${unsynced}`
    // Of more, those deleted are not counted.
    if (isCapped)
      return `Somebody deleted the records of some in HubSpot. ${again} The others have ${unsynced}`
    if (deleted === count) return `Somebody deleted their records in HubSpot. ${again}`
    return `Somebody deleted ${deleted.toLocaleString('en-US')} of their records in HubSpot. ${again} The others have ${unsynced}`
  }
}

function Waiting({ health }: HealthProps) {
  const { customersToMatch, notInHubspot, changed, late, events } = health
  const waiting = added([notInHubspot, changed, late])
  const waitingEvents = added([events.notInHubspot, events.changed])
  const isEmpty = useIsEmpty(health)
  const follow = useFollowTexts().changed
  const notThere = useNotThere()
  const unmatched = useUnmatchedText()
  return (
    <HealthSection
      title="Waiting"
      counts={[
        sumText(customersToMatch, 'customer'),
        sumText(waiting, 'subscription'),
        sumText(waitingEvents, 'event'),
      ]}
      emptyText={
        isEmpty ? (
          <NothingImported />
        ) : (
          (unmatched ?? 'No customer waits for a match, and no subscription or event for its sync.')
        )
      }
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
        note={notThere(notInHubspot)}
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
        note={notThere(events.notInHubspot)}
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
