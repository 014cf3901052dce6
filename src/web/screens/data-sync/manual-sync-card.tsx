import { Anchor, Card, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconDownload, IconHistory, IconUpload } from '@tabler/icons-react'
import { Link } from 'react-router'
import { counted } from '../../components/counted.ts'
import { MatchForecast } from '../../components/match-forecast.tsx'
import { FailedRun } from '../../components/runs/failed-run.tsx'
import { RunProgress } from '../../components/runs/run-progress.tsx'
import { paths } from '../../paths.ts'
import { useMatchForecast } from '../../queries/match-forecast.ts'
import { useRefusedProviders } from '../../queries/refused-providers.ts'
import { useCurrentUser, useIsManager, useObstacles } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { Unread } from '../../ui/problems/unread.tsx'
import { Ago } from '../../ui/time/instant.tsx'
import { LastRun } from './last-run.tsx'
import type { ManualSync } from './use-manual-sync.ts'

type ManualSyncCardProps = { sync: ManualSync; hasHubspot: boolean; hasStripe: boolean }

/** Starts imports and pushes by hand, and shows their progress. */
export function ManualSyncCard({ sync, hasHubspot, hasStripe }: ManualSyncCardProps) {
  const { totals } = sync
  const { data: user } = useCurrentUser()
  const isManager = useIsManager()
  const pending = user?.setupProgress?.pendingMatchCount ?? 0
  const { areRecordsReadable, canSync } = useObstacles()
  const canPush = hasHubspot && hasStripe && canSync
  // Without a connection, the page says so above.
  const isHindered = hasHubspot && !areRecordsReadable
  const isRefused = useRefusedProviders().length > 0
  const isUntouched =
    totals !== null &&
    totals.totalSubscriptions > 0 &&
    totals.syncedSubscriptions + totals.syncedTransactions === 0
  const records = totals === null ? null : totals.totalSubscriptions + totals.totalTransactions
  const isFirst = user?.setupProgress?.dataImported === false && !records
  const hasNothing = isFirst || records === 0
  const forecast = useMatchForecast(isUntouched && canPush && !sync.isBusy)
  return (
    <Card withBorder component="section" aria-label="Manual Data Sync">
      <Stack>
        <Title order={2} size="h5">
          Manual Data Sync
        </Title>
        <StartButton
          leftSection={<IconDownload size={16} aria-hidden />}
          // What a connection needs comes first.
          variant={isHindered || isRefused || !hasHubspot ? 'default' : 'filled'}
          isOff={!hasStripe || sync.isBusy}
          onClick={sync.startImport}
        >
          Import from Stripe
        </StartButton>
        <Text size="sm" c="dimmed">
          {isFirst
            ? 'Reads everything from Stripe, because nothing has been imported yet, then syncs it to HubSpot.'
            : 'Imports what changed since the last run, then syncs it to HubSpot.'}
          {hasStripe && !canPush ? ' The sync waits until HubSpot can take records.' : null}
        </Text>
        <StartButton
          leftSection={<IconHistory size={16} aria-hidden />}
          variant="default"
          isOff={!hasStripe || isFirst || sync.isBusy}
          onClick={sync.startHistoricalImport}
        >
          Import All History
        </StartButton>
        <Text size="sm" c="dimmed">
          {isFirst
            ? 'For later: reads everything from Stripe again. Needed only if figures look wrong.'
            : 'Reads everything from Stripe again, as the first import did. Needed only if figures look wrong: nothing is lost, and only what differs changes.'}
        </Text>
        <StartButton
          leftSection={<IconUpload size={16} aria-hidden />}
          variant="default"
          isOff={!canPush || hasNothing || sync.isBusy}
          onClick={sync.startPush}
        >
          Sync to HubSpot
        </StartButton>
        {hasNothing ? (
          <Text size="sm" c="dimmed">
            There is nothing to sync yet.
          </Text>
        ) : null}
        {isHindered ? (
          <Text size="sm">
            HubSpot cannot take records yet. The card <em>HubSpot</em> on this page says why, and what to do.
          </Text>
        ) : null}
        {hasHubspot && isManager ? (
          <Text size="sm" c="dimmed">
            Is a company or contact missing on a record in HubSpot?{' '}
            <Anchor component={Link} to={paths.diagnostics} size="sm" underline="always">
              Check HubSpot links
            </Anchor>
          </Text>
        ) : null}
        <MatchForecast {...forecast} />
        <Unread what="The state of the sync" error={sync.unread} onRetry={sync.retryRead} />
        {sync.isBusy ? null : (
          <>
            <FailedRun title="The last import from Stripe failed" outcome={totals?.lastImport ?? null} />
            <FailedRun title="The last sync to HubSpot failed" outcome={totals?.lastSync ?? null} />
          </>
        )}
        {sync.running === null ? null : (
          <RunProgress {...sync.running} onCancel={sync.cancel} isCancelling={sync.isCancelling} />
        )}
        {pending === 0 ? null : (
          <Anchor component={Link} to={paths.matchReview} size="sm">
            {counted(pending, 'customer needs', 'customers need')} review
          </Anchor>
        )}
        {totals === null ? null : (
          <Stack gap={2}>
            <LastRun totals={totals} />
            {hasHubspot ? <InHubspot totals={totals} /> : null}
            {totals.errorCount === 0 ? null : (
              <Text size="sm" c="var(--text-negative)">
                {counted(totals.errorCount, 'record')} could not be synced.{' '}
                <Anchor component={Link} to={paths.syncHealth} size="sm" underline="always">
                  See why in Sync Health
                </Anchor>
              </Text>
            )}
          </Stack>
        )}
      </Stack>
    </Card>
  )
}

/** What stands in HubSpot. Without a connection, Sync Health says what stood there. */
function InHubspot({ totals }: { totals: NonNullable<ManualSyncCardProps['sync']['totals']> }) {
  return (
    <>
      <Figure what="Subscriptions" of={totals.totalSubscriptions} value={totals.syncedSubscriptions} />
      <Figure what="Events" of={totals.totalTransactions} value={totals.syncedTransactions} />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Last record synced
        </Text>
        <Text size="sm">{totals.lastSyncDate === null ? 'N/A' : <Ago at={totals.lastSyncDate} />}</Text>
      </Group>
    </>
  )
}

const figureStyle = { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } as const

/** A count of those in sync. Where others are left, it leads to them. */
function Figure({ what, value, of }: { what: string; value: number; of: number }) {
  // Nobody knows what was changed since then in an account that cannot be read.
  const isKnown = useObstacles().areRecordsReadable || value === 0
  const text = `${value.toLocaleString('en-US')} of ${of.toLocaleString('en-US')}`
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Text size="sm" c="dimmed">
        {what} {isKnown ? 'in sync' : 'last known in sync'}
      </Text>
      {value < of ? (
        <Anchor component={Link} to={paths.syncHealth} size="sm" underline="always" style={figureStyle}>
          {text}
          <VisuallyHidden>: the others are in Sync Health</VisuallyHidden>
        </Anchor>
      ) : (
        <Text size="sm" style={figureStyle}>
          {text}
        </Text>
      )}
    </Group>
  )
}
