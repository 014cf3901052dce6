import { Alert, Anchor, Card, Group, Progress, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { SetupStep } from '#domain/setup.ts'
import { counted } from '../../components/counted.ts'
import { percentOf } from '../../components/figures/percent.ts'
import { MatchForecast } from '../../components/match-forecast.tsx'
import { createdText } from '../../components/runs/changes-text.ts'
import { FailedRun } from '../../components/runs/failed-run.tsx'
import { RefusedConnection } from '../../components/runs/refused-connection.tsx'
import { RunProgress } from '../../components/runs/run-progress.tsx'
import { stepLabels } from '../../components/setup-steps.ts'
import { paths } from '../../paths.ts'
import { type ConnectionStatus, useConnectionStatus } from '../../queries/connection-status.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useFailedObjects } from '../../queries/hubspot-objects.ts'
import { useMatchForecast } from '../../queries/match-forecast.ts'
import { useRefusedProviders } from '../../queries/refused-providers.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { Unread } from '../../ui/problems/unread.tsx'
import { ConnectionRequired } from './connection-required.tsx'
import { ObjectsNotice } from './objects-notice.tsx'
import { PortalQuestion } from './portal-question.tsx'
import { StepFrame } from './step-frame.tsx'
import { SyncSettingsPanel } from './sync-settings-panel.tsx'
import { useAdvance } from './use-advance.ts'
import { usePush, type WizardPush } from './use-push.ts'

/** Says which connection is missing; null when both exist. */
export function missingConnectionText(status: ConnectionStatus): string | null {
  const hasHubspot = status.hubspot.dbConnected
  const hasStripe = status.stripe.dbConnected
  if (hasHubspot && hasStripe) return null
  if (hasHubspot) return 'Stripe connection is required for sync.'
  if (hasStripe) return 'HubSpot connection is required for sync.'
  return 'Both HubSpot and Stripe connections are required for sync.'
}

export function SyncStep() {
  const { advance, isSaving } = useAdvance('sync')
  const { status, isPending, unread, retryRead } = useConnectionStatus({
    staleTime: freshMs.connectionInWizard,
  })
  const push = usePush()
  const refused = useRefusedProviders()
  const { dbConnected, portalId, earlierPortalId } = status.hubspot
  const failedObjects = useFailedObjects(dbConnected)
  const isAsked = earlierPortalId !== null
  const missing = isPending ? null : missingConnectionText(status)
  const isHindered = missing !== null || failedObjects !== null
  const counts = push.totals === null ? null : countsOf(push.totals)
  const { total, synced } = counts?.all ?? nothing
  const hasSynced = synced > 0 || push.isComplete || push.isRunning
  const forecast = useMatchForecast(!isPending && !isHindered && !isAsked && total > 0 && !hasSynced)
  const remaining = total - synced
  // Until it is known what there is to send, the sync is only starting.
  const isUnderWay = push.job !== null && push.job.totalRecords > 0
  return (
    <StepFrame
      step="sync"
      title="Sync Data to HubSpot"
      actions={
        <StartButton
          isOff={!push.isComplete || push.isRunning}
          isBusy={isSaving}
          onClick={() => void advance()}
        >
          Continue
        </StartButton>
      }
    >
      <Unread what="The status of the connections" error={unread} onRetry={retryRead} />
      {missing === null ? null : <ConnectionRequired text={missing} steps={missingSteps(status)} />}
      <PortalQuestion portalId={portalId} earlierPortalId={earlierPortalId} />
      <ObjectsNotice isConnected={dbConnected} />
      <SyncSettingsPanel />
      <MatchForecast {...forecast} />
      {counts === null && push.unread !== null ? null : <Summary counts={counts} />}
      <Unread what="The state of the sync" error={push.unread} onRetry={push.retryRead} />
      {push.isRunning || push.isStarting ? null : (
        <>
          <RefusedConnection
            refused={refused}
            cureOf={(provider) => stepLink(provider === 'hubspot' ? 'crm' : 'payments')}
          />
          <FailedRun title="The last sync failed" outcome={push.last} />
        </>
      )}
      {push.job === null ? null : (
        <RunProgress
          work="sync"
          label={push.job.message || 'Syncing to HubSpot'}
          processed={push.job.processedRecords}
          total={push.job.totalRecords}
          onCancel={push.cancel}
          isCancelling={push.isCancelling}
        />
      )}
      {push.isComplete && !push.isRunning && counts !== null ? (
        <SyncComplete remaining={remaining} last={push.last} />
      ) : null}
      {counts === null || isUnderWay || (push.isComplete && remaining === 0 && total > 0) ? null : (
        <StartSync push={push} {...counts.all} failedObjects={failedObjects} isOff={isHindered || isAsked} />
      )}
    </StepFrame>
  )
}

type Counts = { total: number; synced: number }
const nothing: Counts = { total: 0, synced: 0 }

function countsOf(totals: NonNullable<WizardPush['totals']>) {
  const subscriptions = { total: totals.totalSubscriptions, synced: totals.syncedSubscriptions }
  const events = { total: totals.totalTransactions, synced: totals.syncedTransactions }
  const all = { total: subscriptions.total + events.total, synced: subscriptions.synced + events.synced }
  return { subscriptions, events, all }
}

type StartSyncProps = Counts & { push: WizardPush; failedObjects: unknown; isOff: boolean }

function StartSync({ push, total, synced, failedObjects, isOff }: StartSyncProps) {
  const isBusy = push.isStarting || push.isRunning
  return (
    <Group>
      <StartButton
        isOff={isOff || total === 0 || isBusy}
        h="auto"
        mih={36}
        py={6}
        styles={{ label: { whiteSpace: 'normal', lineHeight: 1.3 } }}
        onClick={push.start}
      >
        {isBusy ? 'Starting sync...' : `Sync ${total - synced} Remaining Records to HubSpot`}
      </StartButton>
      {failedObjects === null ? null : (
        <Text size="sm">HubSpot cannot take records yet. What to do stands above.</Text>
      )}
      {total === 0 ? (
        <Text size="sm" c="dimmed">
          There is nothing to sync yet: import your Stripe data first.
        </Text>
      ) : null}
    </Group>
  )
}

function SyncComplete({ remaining, last }: { remaining: number; last: WizardPush['last'] }) {
  const created = last?.changes ? createdText(last.changes) : null
  return (
    <Alert color="green" icon={<IconCircleCheck aria-hidden />} title="Sync Complete">
      {remaining > 0 ? (
        <div>
          {counted(remaining, 'record')} {remaining === 1 ? 'is' : 'are'} not complete in HubSpot;{' '}
          <Anchor component={Link} to={paths.syncHealth} size="sm" underline="always">
            Sync Health
          </Anchor>{' '}
          says why.
        </div>
      ) : (
        <div>All subscriptions and events are in HubSpot.</div>
      )}
      {created === null ? null : <div>This sync created {created} in HubSpot.</div>}
    </Alert>
  )
}

const stepLink = (step: SetupStep) => ({ to: paths.setupStep(step), name: stepLabels[step] })

function missingSteps({ hubspot, stripe }: ConnectionStatus): SetupStep[] {
  return [
    ...(hubspot.dbConnected ? [] : (['crm'] as const)),
    ...(stripe.dbConnected ? [] : (['payments'] as const)),
  ]
}

function Summary({ counts }: { counts: ReturnType<typeof countsOf> | null }) {
  return (
    <Stack gap="sm" component="section" aria-label="Sync Data Summary">
      <Title order={4}>Sync Data Summary</Title>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <SummaryCard title="Subscriptions" counts={counts?.subscriptions} />
        <SummaryCard title="Events" counts={counts?.events} />
      </SimpleGrid>
    </Stack>
  )
}

/** The counts stay open until they are known: a zero would say that there is nothing. */
function SummaryCard({ title, counts }: { title: string; counts: Counts | undefined }) {
  const { total, synced } = counts ?? nothing
  return (
    <Card withBorder component="section" aria-label={title}>
      <Text fw={600}>{title}</Text>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Total
        </Text>
        <Figure value={counts?.total} />
      </Group>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Synced to HubSpot
        </Text>
        <Figure value={counts?.synced} />
      </Group>
      <Progress mt="xs" value={percentOf(synced, total)} aria-label={`${title} synced to HubSpot`} />
    </Card>
  )
}

function Figure({ value }: { value: number | undefined }) {
  if (value === undefined) return <Skeleton w={40} h={14} my={3} />
  return <Text size="sm">{value.toLocaleString('en-US')}</Text>
}
